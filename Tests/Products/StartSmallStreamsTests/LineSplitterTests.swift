import Foundation
import Testing

@testable import StartSmallStreams

struct LineSplitterTests {
    private static let texts: [(text: String, lines: [String])] = [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("\n\n", ["", ""]),
        ("\r\n\r\n", ["", ""]),
        ("a\rb\n", ["a\rb"]),
        ("a\r\r\n", ["a\r"]),
        ("日本\n語", ["日本", "語"]),
    ]

    private func split(_ chunks: [Data], limit: Int = DefaultLimits.lineBytes) -> [String?] {
        var splitter = LineSplitter(limit: limit)
        let lines = chunks.flatMap { splitter.lines(in: $0) } + splitter.last()
        return lines.map { $0.map { String(decoding: $0, as: UTF8.self) } }
    }

    @Test("lines end with LF or CRLF, or with the text, wherever the bytes are cut", arguments: texts.indices)
    func cut(_ index: Int) {
        let bytes = Data(Self.texts[index].text.utf8)
        for place in 0...bytes.count {
            #expect(split([bytes.prefix(place), bytes.dropFirst(place)]) == Self.texts[index].lines)
        }
        #expect(split(bytes.map { Data([$0]) }) == Self.texts[index].lines)
    }

    @Test("a line over the limit is skipped, and reported, wherever it is cut", arguments: 0...12)
    func limit(_ place: Int) {
        let bytes = Data("abc\r\nabcd\nab\n".utf8)
        #expect(split([bytes.prefix(place), bytes.dropFirst(place)], limit: 3) == ["abc", nil, "ab"])
    }

    @Test("the largest limit is no limit, a limit of 0 allows only empty lines, and a negative one allows no line")
    func extremes() {
        let bytes = Data("abc\r\n\nab".utf8)
        #expect(split([bytes.prefix(2), bytes.dropFirst(2)], limit: .max) == ["abc", "", "ab"])
        #expect(split([bytes], limit: 0) == [nil, "", nil])
        #expect(split([bytes], limit: .min) == [nil, nil, nil])
    }

    @Test("an endless line takes no more memory than the limit")
    func endless() {
        var splitter = LineSplitter(limit: 10)
        let lines = (0..<1000).flatMap { _ in splitter.lines(in: Data(repeating: 97, count: 100)) }
        let (last, afterLast) = (splitter.last(), splitter.last())
        #expect(lines.isEmpty)
        #expect(last == [nil])
        #expect(afterLast == [])
    }
}
