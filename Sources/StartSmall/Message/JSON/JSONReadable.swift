import Foundation

/// What the kit reads by ``JSONReader``, since a decoder would have to guess what comes.
protocol JSONReadable {
    /// Takes what was read.
    ///
    /// - Throws: whatever says that it is something else.
    init(_ tree: JSONTree) throws
}

extension Decodable {
    /// The value of a JSON text, read as a plain `JSONDecoder` reads it, and sooner where that would have to guess.
    init(plainJSON data: Data) throws {
        if let type = Self.self as? any JSONReadable.Type, let value = try type.init(json: data) as? Self {
            self = value
        } else {
            self = try JSONDecoder().decode(Self.self, from: data)
        }
    }
}

extension JSONReadable {
    /// Reads a text, which may be in UTF-16 or UTF-32 as well, as it may for a decoder.
    init(json data: Data) throws {
        let text = Charset.wideEncoding(of: data).flatMap { Charset.text(data, in: $0) }
        try self.init(JSONReader.read(text.map { Data($0.utf8) } ?? data))
    }
}
