import Foundation
@testable import StartSmallForms
@testable import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct MultipartStreamTests {
    private static func stream(_ form: MultipartForm) throws -> PayloadStream? {
        try Payload.Content.multipart(form).stream()
    }

    @Test(
        "a form with streams and files has the bytes of a form with the same bytes in memory (RFC 7578 4)",
        arguments: [
            [], [0], [7], [0, 1, 65_536], [300_000],
        ] as [[Int]]
    )
    func bytes(sizes: [Int]) async throws {
        try await withFile(.pattern(count: 100_000)) { file in
            func form(_ part: (String, Data) -> MultipartForm.Part) -> MultipartForm {
                let parts = sizes.enumerated().map { part("s\($0)", .pattern(count: $1)) }
                return MultipartForm([.text("a", "é"), .file("f", file)] + parts + [.text("z", "")], boundary: "B")
            }
            let inMemory = form { .data($0, $1, fileName: "x") }
            let streamed = form { name, data in
                let stream = PayloadStream(length: data.count) { AsyncStream(elements: data.split(by: 1000)) }
                return .stream(name, stream, fileName: "x")
            }
            guard !sizes.isEmpty else { return #expect(try Self.stream(streamed) == nil) }
            let stream = try #require(try Self.stream(streamed))
            let (chunks, error) = await stream.produced()
            #expect(error == nil)
            #expect(chunks.reduce(Data(), +).isSame(as: try inMemory.bytes()))
            #expect(stream.length == (try inMemory.bytes().count))
        }
    }

    @Test("a form has a known length, or can be sent again, only if that is true of all its streams")
    func length() throws {
        let known = MultipartForm.Part.stream("a", PayloadStream(length: 3) { _ in })
        let unknown = MultipartForm.Part.stream("b", PayloadStream(replayable: false) { _ in })
        for (parts, isKnown) in [([known], true), ([known, unknown], false), ([unknown, known], false)] {
            let stream = try Self.stream(MultipartForm(parts))
            #expect((stream?.length != nil) == isKnown)
            #expect(stream?.isReplayable == isKnown)
        }
    }

    @Test("an illegal or endless form is refused before its streams begin")
    func illegal() {
        let part = MultipartForm.Part.stream("a", PayloadStream { _ in Issue.record("begun") })
        let endless = MultipartForm.Part.stream("a", PayloadStream(length: .max) { _ in Issue.record("begun") })
        for parts in [[part, .data("b", Data("--B".utf8))], [endless, endless]] {
            #expect(throws: ConnectionError.self) { try Self.stream(MultipartForm(parts, boundary: "B")) }
        }
    }

    @Test("a part with another number of bytes than its length is an error of that part")
    func wrongLength() async throws {
        let short = PayloadStream(length: 3) { try await $0.write(Data([1])) }
        let stream = try Self.stream([.stream("a", short), .text("b", "c")])
        #expect(await stream?.produced().error?.debugInfo.contains("1 of 3 bytes") == true)
    }

    @Test("a stream that contains the boundary is an error, wherever its chunks are cut (RFC 2046 5.1.1)")
    func boundary() async throws {
        let bytes = Data("x--BOUNDx".utf8)
        for size in 1...bytes.count {
            let part = MultipartForm.Part.stream("a", PayloadStream { AsyncStream(elements: bytes.split(by: size)) })
            let (chunks, error) = try #require(
                try await Self.stream(MultipartForm([part], boundary: "BOUND"))?.produced()
            )
            #expect(error?.debugInfo.contains("boundary") == true, "in chunks of \(size)")
            #expect(!chunks.reduce(Data(), +).suffix(4).elementsEqual(Data("--\r\n".utf8)))
        }
    }
}

struct DelimiterScannerTests {
    private static let delimiter = Data("--XXX".utf8)

    @Test(
        "a delimiter is found at any position, with any split of the bytes",
        arguments: ["--XXX", "a--XXX", "--XXXa", "---XXX", "--XX--XXX", "------XXXX", "\r\n--XXX--\r\n"]
    )
    func found(_ text: String) {
        for size in 1...text.utf8.count { #expect(Self.finds(Data(text.utf8), by: size)) }
    }

    @Test(
        "an incomplete or different delimiter is not found",
        arguments: ["", "-", "--XX", "-XXX", "--XX-XXX", "--xxx", "XXX--"]
    )
    func notFound(_ text: String) {
        for size in 1...max(1, text.utf8.count) { #expect(!Self.finds(Data(text.utf8), by: size)) }
    }

    @Test("a delimiter of one byte is found")
    func short() {
        var scanner = DelimiterScanner(Data([7]))
        #expect([Data([1]), Data([2, 7])].map { scanner.finds(in: $0) } == [false, true])
    }

    private static func finds(_ bytes: Data, by size: Int) -> Bool {
        var scanner = DelimiterScanner(delimiter)
        var isFound = false
        for start in stride(from: 0, to: bytes.count, by: size) {
            // Scans every piece, since the rest of an earlier piece must not lead to a match in a later one.
            if scanner.finds(in: bytes[start..<min(start + size, bytes.count)]) { isFound = true }
        }
        return isFound
    }
}
