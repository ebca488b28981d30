import Testing

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
