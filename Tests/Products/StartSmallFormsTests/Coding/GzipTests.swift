import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@testable import StartSmallForms

/// The law of the encoder: what the engine decodes is what was encoded.
@Suite(.timeLimit(.minutes(5))) struct GzipTests {
    /// Payloads of each code: literals of 8 and 9 bits, each length of a match, and distances up to the window.
    private static let payloads: [Data] = {
        var payloads = [Data(repeating: 0x61, count: 5_000), Data(repeating: 0xFF, count: 5_000)]
        for length in [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 18, 19, 34, 35, 66, 67, 130, 131, 257, 258, 259, 516] {
            let word = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) })
            payloads.append(Data((0..<20).flatMap { word + Data([UInt8($0)]) }))
        }
        for distance in [4, 5, 8, 9, 255, 256, 257, 8_192, 32_767, 32_768, 32_769, 40_000] {
            let filler = Data((0..<distance).map { UInt8(truncatingIfNeeded: $0 / 256) })
            payloads.append(Data("the word".utf8) + filler.dropLast(min(8, distance)) + Data("the word".utf8) + filler)
        }
        let json = (0..<2_000).map { #"{"id":\#($0 &* 7_919),"name":"ünï \#($0)","tags":["a","b"]}"# }
        return payloads.map { $0 + Data(repeating: 0x7A, count: 500) } + [Data(json.joined(separator: ",").utf8)]
    }()

    @Test("the engine decodes what was encoded")
    func law() async throws {
        let coded = Self.payloads.map(Gzip.encoded)
        let server = Mutex(coded.map { $0 ?? Data() })
        try await LoopbackServer.playing({ _ in
            let next = server.withLock { $0.removeFirst() }
            let head =
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Encoding: gzip\r\nContent-Length: \(next.count)\r\n\r\n"
            return [.receiveRequest, .send(head), .sendBytes(Array(next))]
        }) { server in
            for (payload, coded) in zip(Self.payloads, coded) {
                #expect(coded.map { $0.count < payload.count } == true)
                let output = await WebAPI.call(with: Input(url: server.url), via: .patient)
                #expect(output.response?.payload == payload, "\(payload.count) bytes")
            }
        }
    }

    @Test("bytes that would not shrink are not encoded, however many or few they are")
    func incompressible() {
        var generator = SplitMix64(seed: 1)
        for count in Array(0..<40) + [1_000, 100_000] {
            #expect(
                Gzip.encoded(Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })) == nil
            )
        }
    }

    @Test("the same bytes are always coded as the same ones, without a time in them")
    func constant() {
        let data = Data(repeating: 0x61, count: 100)
        let expected = "H4sIAAAAAAAA/0tMpAEAAAwIxK9kAAAA"
        #expect(Gzip.encoded(data) == Gzip.encoded(data))
        #expect(Gzip.encoded(data)?.prefix(10) == Data(base64Encoded: expected)?.prefix(10))
    }

    @Test("a JSON of an API shrinks to a third at most")
    func ratio() throws {
        let json = try #require(Self.payloads.last)
        #expect(try #require(Gzip.encoded(json)).count * 3 <= json.count)
    }
}
