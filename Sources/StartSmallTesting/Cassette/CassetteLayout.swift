import Foundation

/// The layout of exchanges in a cassette's file, which allows adding one without writing the earlier ones again.
enum CassetteLayout {
    /// The texts before the first exchange, between two, and after the last.
    private static let start = Data("{\n  \"exchanges\" : [\n".utf8)
    private static let joint = Data(",\n".utf8)
    private static let end = Data("\n  ],\n  \"version\" : \(Cassette.version)\n}\n".utf8)

    /// A write of consecutive bytes.
    struct Step: Hashable {
        /// The offset in bytes from the start of the file.
        var offset: Int
        var bytes: Data
    }

    /// Returns the bytes of an exchange: the same bytes for the same exchange.
    static func text(of exchange: Exchange) -> Data {
        var bytes = Array(repeating: UInt8(ascii: " "), count: indent)
        CassetteNode(exchange).write(to: &bytes, indented: indent)
        return Data(bytes)
    }

    /// The indentation in spaces.
    private static let indent = 4

    /// Returns the bytes of a file.
    static func file(of texts: [Data]) -> Data {
        start + joined(texts) + end
    }

    /// Returns the writes, in order, that add exchanges to a file of `size` bytes that contains at least one.
    ///
    /// Most bytes are written after the end first, where they are ignored, and the end of the file is replaced last in
    /// one write: the earlier content is readable after each write, and during the first one.
    static func steps(adding texts: [Data], toSize size: Int) -> [Step] {
        let bytes = joint + joined(texts) + end
        return [
            Step(offset: size, bytes: Data(bytes.dropFirst(end.count))),
            Step(offset: size - end.count, bytes: Data(bytes.prefix(end.count))),
        ]
    }

    private static func joined(_ texts: [Data]) -> Data {
        texts.reduce(into: Data()) { all, text in
            if !all.isEmpty { all += joint }
            all += text
        }
    }

    /// Returns a file without the bytes after its end, which belong to an incomplete exchange; nil if there are none.
    static func beforeEnd(of data: Data) -> Data? {
        guard let end = data.range(of: Data("\n}\n".utf8))?.upperBound, end < data.endIndex else { return nil }
        return Data(data[..<end])
    }
}
