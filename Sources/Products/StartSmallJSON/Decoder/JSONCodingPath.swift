/// The coding path of a value inside of an array or object, which is made into a list of keys only for an error.
final class JSONCodingPath {
    /// The path of the array or object; nil for the outermost one.
    private let container: JSONCodingPath?

    /// The key of a member, or the index of an element.
    private let key: (any CodingKey)?
    private let index: Int

    init(_ container: JSONCodingPath?, _ key: any CodingKey) {
        (self.container, self.key, index) = (container, key, 0)
    }

    init(_ container: JSONCodingPath?, index: Int) {
        (self.container, key, self.index) = (container, nil, index)
    }

    fileprivate var keys: [any CodingKey] {
        var keys = [key ?? JSONPathKey(intValue: index)]
        var outer = container
        while let path = outer {
            keys.append(path.key ?? JSONPathKey(intValue: path.index))
            outer = path.container
        }
        return keys.reversed()
    }
}

extension JSONCodingPath? {
    /// The keys of the path; none for the outermost value.
    var keys: [any CodingKey] { self?.keys ?? [] }
}

/// A key of a coding path that is not one of the keys of an app: an index, a name of a dictionary, or `super`.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

    init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }

    /// Creates the key of a member of a dictionary, as the standard library does.
    init(ofDictionary name: String) { (stringValue, intValue) = (name, Int(name)) }
}
