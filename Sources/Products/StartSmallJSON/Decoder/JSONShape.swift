/// The names of the members of an object, converted and decoded.
///
/// The objects of an array mostly have the same names, which are then converted once.
final class JSONShape {
    /// The word of the object that was the first with these names.
    fileprivate let object: Int

    /// The converted names of the members, in the order of the text, and the place of the first member with each.
    ///
    /// A name that could take long to compare is nil: no name that an app knows equals it (``JSONTape/name(_:)``).
    private let names: [String?]
    private var places: [String: Int]

    /// Whether ``distinctNames`` lacks a name.
    let lacksName: Bool

    fileprivate init(_ object: Int, _ names: [String?]) {
        (self.object, self.names) = (object, names)
        places = Dictionary(minimumCapacity: names.count)
        var lacksName = false
        for (place, name) in names.enumerated() {
            guard let name else {
                lacksName = true
                continue
            }
            if let first = places.updateValue(place, forKey: name) { places[name] = first }
        }
        self.lacksName = lacksName
    }

    /// Each name once.
    ///
    /// Names are equal if their characters are, and of several members with one name, the first counts.
    var distinctNames: [String] {
        let names = names.compactMap(\.self)
        if places.count == names.count { return names }
        return self.names.enumerated().compactMap { place, name in name.flatMap { places[$0] == place ? $0 : nil } }
    }

    func place(of name: String, near guess: Int) -> Int? {
        if guess < names.count, places.count == names.count, names[guess] == name { return guess }
        return places[name]
    }
}

extension JSONTapeDecoder {
    /// The maximum number of shapes that are kept, and of the members of each.
    private static let maximumShapes = 8
    private static let maximumMembers = 128

    func shape(of object: Int, _ path: JSONCodingPath?) -> (JSONShape, [Int]) {
        var values: [Int] = []
        if let shape = shapes.first(where: { tape.hasSameNames(object, as: $0.object, values: &values) }) {
            return (shape, values)
        }
        values.removeAll()
        var names: [String?] = []
        let keys = options.names?.needsPath == true ? path.keys : []
        var name = object + 1
        while name < tape.words[object].second {
            let word = tape.words[name]
            let text = tape.name(word)
            names.append(text.map { options.names?.name($0, isASCII: word.isASCII, in: keys) ?? $0 })
            // Only a conversion by the app could give it a name that the app knows.
            if text == nil, options.names?.needsPath == true { tape.hasOmittedName = true }
            values.append(name + 1)
            name = tape.index(after: name + 1)
        }
        let shape = JSONShape(object, names)
        if options.names?.needsPath != true, names.count <= Self.maximumMembers {
            if shapes.count == Self.maximumShapes { shapes.removeFirst() }
            shapes.append(shape)
        }
        return (shape, values)
    }
}
