import Foundation

/// A type that is read with ``JSONReader``, because a decoder would have to guess the kind of each value.
protocol JSONReadable {
    /// Creates a value from JSON that was read.
    ///
    /// - Throws: An error if the JSON has another form.
    init(_ tree: JSONTree) throws
}

extension Decodable {
    /// Creates a value from JSON as a plain `JSONDecoder` does, and faster where a decoder would have to guess.
    init(plainJSON data: Data) throws {
        if let type = Self.self as? any JSONReadable.Type, let value = try type.init(json: data) as? Self {
            self = value
        } else {
            self = try JSONDecoder().decode(Self.self, from: data)
        }
    }
}

extension JSONReadable {
    /// Creates a value from JSON, which can also be in UTF-16 or UTF-32, as for a decoder.
    init(json data: Data) throws {
        let text = Charset.wideEncoding(of: data).flatMap { Charset.text(data, in: $0) }
        try self.init(JSONReader.read(text.map { Data($0.utf8) } ?? data))
    }
}
