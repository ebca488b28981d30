import StartSmallTesting
import Testing

@Suite struct SplitMix64Tests {
    @Test("the numbers equal those of the generator's authors")
    func numbers() {
        var numbers = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        ]
        #expect((0..<4).map { _ in numbers.next() } == expected)
    }
}
