/// An object that is decoded by the names of its members.
///
/// A container copies itself for each member, which costs least for a single reference.
final class JSONObject {
    let decoder: JSONTapeDecoder
    let path: JSONCodingPath?

    /// The words of the first name and after the last member.
    private let first: Int
    private let end: Int

    /// The word of the name, or the place in the shape, after the member that was found last.
    ///
    /// Most types decode their members in the order of the text, and then find each at once.
    private var next: Int

    /// The names, if they can't be compared in the text, and the words of their values.
    private let shape: JSONShape?
    private let values: [Int]

    init(_ decoder: JSONTapeDecoder, _ object: Int, _ path: JSONCodingPath?) {
        (self.decoder, self.path, first) = (decoder, path, object + 1)
        end = decoder.tape.words[object].second
        if decoder.options.names == nil, decoder.tape.canCompareNames(of: object) {
            (shape, values, next) = (nil, [], first)
        } else {
            (shape, values) = decoder.shape(of: object, path)
            next = 0
        }
    }

    /// The names of the members, each once.
    ///
    /// Those that could take long to compare are left out, and decoding fails at its end.
    var names: [String] {
        if let shape {
            if shape.lacksName { decoder.tape.hasOmittedName = true }
            return shape.distinctNames
        }
        var names: [String] = []
        var name = first
        while name < end {
            names.append(decoder.tape.string(decoder.tape.words[name]) ?? "")
            name = decoder.tape.index(after: name + 1)
        }
        return names
    }

    func value(named name: String) -> Int? {
        if let shape {
            guard let place = shape.place(of: name, near: next) else { return nil }
            next = place + 1
            return values[place]
        }
        var copy = name
        let value = copy.withUTF8 { name in
            decoder.tape.value(named: name, from: next, to: end)
                ?? decoder.tape.value(named: name, from: first, to: next)
        }
        guard let value else { return name.utf8.allSatisfy { $0 < 0x80 } ? nil : equal(name) }
        next = decoder.tape.index(after: value)
        return value
    }

    /// Returns the value whose name has the characters of a name that is not in ASCII, such as U+212A, which is a K.
    private func equal(_ name: String) -> Int? {
        var index = first
        while index < end {
            if decoder.tape.string(decoder.tape.words[index]) == name { return index + 1 }
            index = decoder.tape.index(after: index + 1)
        }
        return nil
    }

    @inline(never)
    func error(_ failure: JSONReadingFailure, _ type: any Any.Type, _ value: Int, _ key: any CodingKey) -> any Error {
        decoder.error(failure, type, value, JSONCodingPath(path, key))
    }

    @inline(never)
    func missing(_ key: any CodingKey) -> any Error {
        let reason = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return DecodingError.keyNotFound(key, .init(codingPath: path.keys, debugDescription: reason))
    }
}
