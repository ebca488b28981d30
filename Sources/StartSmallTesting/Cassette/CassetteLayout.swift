import Foundation

/// How exchanges stand in the file of a cassette, so that one can be added without those before it being written again.
enum CassetteLayout {
    /// What stands before the first exchange, between two, and behind the last.
    private static let start = Data("{\n  \"exchanges\" : [\n".utf8)
    private static let joint = Data(",\n".utf8)
    private static let end = Data("\n  ],\n  \"version\" : \(Cassette.version)\n}\n".utf8)

    /// A part of a file that is written at once.
    struct Step: Hashable {
        /// In bytes from the beginning.
        var offset: Int
        var bytes: Data
    }

    /// The bytes of an exchange: the same for the same one.
    static func text(of exchange: Exchange) -> Data {
        var bytes = Array(repeating: UInt8(ascii: " "), count: indent)
        CassetteNode(exchange).write(to: &bytes, indented: indent)
        return Data(bytes)
    }

    /// In spaces.
    private static let indent = 4

    /// The whole file.
    static func file(of texts: [Data]) -> Data {
        start + joined(texts) + end
    }

    /// What to write, in this order, to add exchanges to a file of `size` bytes in which there is one already.
    ///
    /// All but a few bytes are written behind the end, where they count for nothing, and what ended the file is replaced
    /// last and at once: what was there can be read after each step, and in the midst of the first.
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

    /// A file without what stands behind its end, which is of an exchange that was not written wholly; nil if there is
    /// nothing.
    static func beforeEnd(of data: Data) -> Data? {
        guard let end = data.range(of: Data("\n}\n".utf8))?.upperBound, end < data.endIndex else { return nil }
        return Data(data[..<end])
    }
}
