import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct CassetteLayoutTests {
    private static let exchanges = (1...4).map { number in
        Exchange(
            input: Sample.input("https://a/\(number)?a=\"}"),
            response: Response(statusCode: .ok, payload: Data("{\n}\n\n}\n\(number)".utf8)),
            recorded: Sample.noon
        )
    }

    /// A file to which exchanges are added step by step.
    private struct Growing {
        var bytes: Data

        mutating func take(_ step: CassetteLayout.Step) {
            let end = min(bytes.count, step.offset + step.bytes.count)
            bytes.replaceSubrange(step.offset..<end, with: step.bytes)
        }
    }

    @Test("a file to which exchanges were appended equals one that was written at once", arguments: 1..<4)
    func same(count: Int) throws {
        var file = Growing(bytes: Cassette(Array(Self.exchanges.prefix(count))).data())
        let texts = Self.exchanges.dropFirst(count).map(CassetteLayout.text)
        for step in CassetteLayout.steps(adding: texts, toSize: file.bytes.count) { file.take(step) }
        let isSame = file.bytes == Cassette(Self.exchanges).data()
        #expect(isSame)
    }

    @Test("if appending is interrupted at any byte, the earlier exchanges can still be read")
    func brokenOff() throws {
        let before = Cassette(Array(Self.exchanges.prefix(2)))
        let file = Growing(bytes: before.data())
        let texts = [CassetteLayout.text(of: Self.exchanges[2])]
        let step = try #require(CassetteLayout.steps(adding: texts, toSize: file.bytes.count).first)
        for count in 0...step.bytes.count {
            var file = file
            file.take(CassetteLayout.Step(offset: step.offset, bytes: step.bytes.prefix(count)))
            let isThere = try Cassette(reading: file.bytes) == before
            #expect(isThere, "\(count) bytes of \(step.bytes.count)")
        }
    }

    @Test("the last write replaces a few bytes, however much is added")
    func last() throws {
        let texts = Self.exchanges.map(CassetteLayout.text)
        let steps = CassetteLayout.steps(adding: texts, toSize: 1_000)
        #expect(steps.count == 2)
        #expect(steps.last?.bytes.count == 24)
        #expect(steps.last?.offset == 976)
    }
}
