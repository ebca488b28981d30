import Foundation
import StartSmall
import Testing

@testable import StartSmallDiagnostics
@testable import StartSmallTesting

struct KnownSecretsTests {
    @Test("a secret of any length is hidden wherever it occurs, and its beginning at the end of a cut text")
    func occurrences() {
        var random = SplitMix64(seed: 41)
        for length in [8, 63, 64, 65, 66, 100, 130] {
            for _ in 0..<40 {
                // Two letters, so that secrets overlap themselves.
                let period = Int.random(in: 1...9, using: &random)
                let unit = (0..<period).map { _ in UInt8(ascii: Bool.random(using: &random) ? "x" : "y") }
                var secret = (0..<length).map { unit[$0 % period] }
                if Bool.random(using: &random) { secret[length - 1] = UInt8(ascii: "z") }
                var secrets = KnownSecrets()
                _ = secrets.add([secret])
                var text = (0..<5).flatMap { _ in
                    secret.prefix(Int.random(in: 0...length, using: &random))
                        + (Bool.random(using: &random) ? secret : [])
                }
                text += secret.prefix(Int.random(in: 0..<length, using: &random))
                for isCut in [false, true] {
                    let shown = secrets.places(in: text, isCut: isCut).replaced(in: text).bytes
                    #expect(
                        shown == Self.hidden(secret, in: text, isCut: isCut),
                        "\(String(decoding: text, as: UTF8.self))"
                    )
                }
            }
        }
    }

    @Test("an exchange that may contain a secret is found, and few others are, whatever their lengths are")
    func filter() {
        var found = 0
        for number in stride(from: 100, to: 300, by: 10) {
            let text = String(repeating: "any text of the server, ", count: number * 20) + "the-secret-\(number)"
            let response = Response(statusCode: .ok, payload: Data(text.utf8))
            let texts = RecordedTexts(of: Exchange(input: Sample.user, response: response, recorded: Sample.noon))
            for other in 100..<1_000 {
                var secrets = KnownSecrets()
                let mayContain = secrets.add([Array("the-secret-\(other)".utf8)]).map(texts.mayContain) ?? false
                #expect(mayContain || number != other)
                found += mayContain ? 1 : 0
            }
        }
        // 20 of them have the secret.
        #expect(found < 200, "\(found)")
    }

    @Test("a beginning of any length at the end of a cut text is hidden, among a thousand secrets that begin alike")
    func alike() {
        var secrets = KnownSecrets()
        let all = (0..<1_000).map { "Bearer sk-live-\($0)-\(String(repeating: "x", count: $0))" }
        _ = secrets.add(Set(all.map { Array($0.utf8) }))
        for count in [4, 8, 18, 19, 30, 200, 270, 700] {
            let text = Array("so \(all[901].prefix(count))".utf8)
            let shown = secrets.places(in: text, isCut: true).replaced(in: text).bytes
            #expect(String(decoding: shown, as: UTF8.self) == "so [redacted]", "\(count)")
            #expect(secrets.places(in: text, isCut: false).isEmpty)
        }
    }

    @Test("of secrets whose first half is the same, each is hidden, however many lengths they have")
    func lengths() {
        var secrets = KnownSecrets()
        let all = (8..<200).map { String(repeating: "a", count: $0) + "b" }
        _ = secrets.add(Set(all.map { Array($0.utf8) }))
        for secret in all {
            let text = Array("so \(secret)".utf8)
            let shown = secrets.places(in: text, isCut: false).replaced(in: text).bytes
            #expect(String(decoding: shown, as: UTF8.self) == "so [redacted]", "\(secret.utf8.count)")
        }
        #expect(secrets.places(in: Array("so aaaaaaaa and on".utf8), isCut: false).isEmpty)
    }

    /// Hides a secret by a comparison at each byte.
    private static func hidden(_ secret: [UInt8], in text: [UInt8], isCut: Bool) -> [UInt8] {
        var found = HiddenPlaces()
        for start in text.indices {
            let rest = text[start...]
            if rest.starts(with: secret) { found.hide(start..<(start + secret.count)) }
            if isCut, rest.count >= 4, rest.count < secret.count, secret.starts(with: rest) {
                found.hide(start..<text.count)
            }
        }
        return found.replaced(in: text).bytes
    }
}
