import Testing

@testable import StartSmall

struct SecretWordsTests {
    private func stand(_ words: Set<String>, in name: String) -> Bool {
        SecretWords(words).occur(in: SecretName(name).bytes[...])
    }

    @Test("a word is found anywhere in a name")
    func words() {
        #expect(["token", "token1", "atoken", "to-ken", "x[tok]en"].allSatisfy { stand(["token"], in: $0) })
        #expect(!["toke", "oken", "", "to1ken"].contains { stand(["token"], in: $0) })
    }

    @Test("one word of many is enough, and all words with a common beginning are searched")
    func many() {
        let words: Set = ["token", "to", "secret", "é"]
        #expect(["token", "atob", "nosecrets", "É"].allSatisfy { stand(words, in: $0) })
        #expect(!["t", "o", "secre", "e"].contains { stand(words, in: $0) })
    }

    @Test("without words nothing is found, and an empty word is found in every name")
    func none() {
        #expect(!stand([], in: "token") && !stand([], in: ""))
        #expect(stand([""], in: "token") && stand([""], in: ""))
    }

    @Test("sets of the same words are equal in any order")
    func equal() {
        let words = (0..<100).map { "a\($0)" }
        #expect(SecretWords(Set(words)) == SecretWords(Set(words.reversed())))
    }
}
