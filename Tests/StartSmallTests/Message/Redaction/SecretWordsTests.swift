import Testing

@testable import StartSmall

struct SecretWordsTests {
    private func stand(_ words: Set<String>, in name: String) -> Bool {
        SecretWords(words).stand(in: SecretName(name).bytes[...])
    }

    @Test("a word is found wherever it stands")
    func words() {
        #expect(["token", "token1", "atoken", "to-ken", "x[tok]en"].allSatisfy { stand(["token"], in: $0) })
        #expect(!["toke", "oken", "", "to1ken"].contains { stand(["token"], in: $0) })
    }

    @Test("one word of many is enough, and those that begin alike are all looked for")
    func many() {
        let words: Set = ["token", "to", "secret", "é"]
        #expect(["token", "atob", "nosecrets", "É"].allSatisfy { stand(words, in: $0) })
        #expect(!["t", "o", "secre", "e"].contains { stand(words, in: $0) })
    }

    @Test("without words, nothing is found; an empty one stands in all names")
    func none() {
        #expect(!stand([], in: "token") && !stand([], in: ""))
        #expect(stand([""], in: "token") && stand([""], in: ""))
    }

    @Test("the same words are equal, in whatever order they come")
    func equal() {
        let words = (0..<100).map { "a\($0)" }
        #expect(SecretWords(Set(words)) == SecretWords(Set(words.reversed())))
    }
}
