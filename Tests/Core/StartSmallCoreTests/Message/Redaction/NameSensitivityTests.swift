import Testing

import StartSmall

struct NameSensitivityTests {
    private let redaction = Redaction.standard

    @Test("an ordinary word may name a secret as a whole name or as one of the names in it, but not as a part of one")
    func ordinary() {
        for name in ["code", "Key", "place[code]", "ac-cess"] {
            #expect(redaction.sensitivity(of: name) == .ordinary, "\(name)")
        }
        for name in ["status_code", "login"] { #expect(redaction.sensitivity(of: name) == .shown, "\(name)") }
    }

    @Test(
        "a name with one of the words in it is hidden, whatever the case, and - and _, of its letters",
        arguments: [
            ("token", true), ("atoken1", true), ("to-k_EN", true), ("x[tok]en", true), ("É", true), ("nosecrets", true),
            ("toke", false), ("oken", false), ("to1ken", false), ("e", false), ("", false),
        ]
    )
    func words(name: String, isHidden: Bool) {
        let redaction = Redaction(names: [], words: ["token", "tokens", "secret", "é"])
        #expect((redaction.sensitivity(of: name) == .hidden) == isHidden)
    }

    @Test(
        "a position in a list and a count of tokens are no credentials",
        arguments: [
            "pageToken", "nextPageToken", "next_page_token", "continuationToken", "syncToken", "NextToken",
            "total_tokens", "promptTokenCount", "prompt_tokens_details", "max_completion_tokens",
            "x-ratelimit-remaining-tokens", "anthropic-ratelimit-tokens-limit",
        ]
    )
    func places(name: String) {
        #expect(redaction.sensitivity(of: name) == .shown)
        #expect(Redaction(names: [], words: redaction.words.union([name])).sensitivity(of: name) == .hidden)
    }
}
