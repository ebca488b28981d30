package import StartSmallCore
import StartSmallSupport

/// The forms by which a secret is known without a name: its first characters, and the characters that follow.
///
/// | form | secret | source |
/// | --- | --- | --- |
/// | `eyJ….….…` | a JSON Web Token, or encrypted one | RFC 7515 3.1, RFC 7516 3.1, RFC 7519 3.1 |
/// | `Bearer …` | a bearer token, in any case | RFC 6750 2.1 |
/// | `sk-…` | a key of OpenAI, Anthropic and others | <https://platform.openai.com/docs/api-reference/authentication> |
/// | `sk_live_…`, `sk_test_…`, `rk_live_…`, `rk_test_…` | a key of Stripe | <https://docs.stripe.com/keys> |
/// | `ghp_…` and other `gh?_…`, `github_pat_…` | a token of GitHub | docs.github.com, *About authentication* |
/// | `glpat-…` | a token of GitLab | docs.gitlab.com, *Token overview* |
/// | `xoxb-…`, `xoxp-…` and other `xox?-…` | a token of Slack | <https://docs.slack.dev/authentication/tokens> |
/// | `AKIA…`, `ASIA…` | an access key ID of AWS | *IAM identifiers*, unique ID prefixes |
/// | `AIza…` | an API key of Google | <https://cloud.google.com/docs/authentication/api-keys> |
/// | `npm_…` | a token of npm | github.blog, *Announcing npm's new access token format* |
///
/// A form begins at the start of a word, which is letters, digits, `-` and `_`; a form without marks also within one.
package enum SecretForm {
    private enum Body {
        /// Letters and digits.
        case alphanumeric

        /// Letters, digits, `-` and `_`, of which one is a digit, as in each key, and hardly in a word.
        case word

        /// Capitals and digits, exactly as many as the minimum.
        case capitals
    }

    private struct Form {
        let beginning: [UInt8]
        let body: Body
        let least: Int

        init(_ beginning: String, _ body: Body, least: Int = 20) {
            (self.beginning, self.body, self.least) = (Array(beginning.utf8), body, least)
        }
    }

    private static let forms =
        ["sk-", "glpat-", "github_pat_", "AIza"].map { Form($0, .word) }
        + "abceoprs".map { Form("xox\($0)-", .word, least: 10) }
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "npm_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"]
        .map { Form($0, .alphanumeric) }
        + ["AKIA", "ASIA"].map { Form($0, .capitals, least: 16) }

    /// Whether a form begins with a byte, as hardly a word does.
    private static let begins = (0...UInt8.max).map { byte in forms.contains { $0.beginning.first == byte } }

    /// Returns the ranges of the secrets in a text, in order.
    package static func places(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        var search = Search(text: text, isCut: isCut)
        return search.places()
    }

    private struct Search {
        let text: [UInt8]
        let isCut: Bool

        /// The end of the text after a `bearer` that is no token; a `bearer` inside of that text has the same end.
        var endOfWords = 0

        mutating func places() -> [Range<Int>] {
            var (found, index) = ([Range<Int>](), 0)
            while index < text.count {
                let end = text[index...].firstIndex { !SecretForm.isOfWord($0) } ?? text.count
                if end > index, let place = place(in: index..<end) {
                    found.append(place)
                    index = place.upperBound
                } else {
                    index = end + 1
                }
            }
            return found
        }

        private mutating func place(in word: Range<Int>) -> Range<Int>? {
            // The first characters of a word may belong to an escape: `\nsk-…`, `\u0020sk-…`, `%3Dsk-…`.
            let before = word.lowerBound > 0 ? text[word.lowerBound - 1] : 0
            let escape = before == URIEncoding.percent ? 2 : before == UInt8(ascii: "\\") ? 1 : 0
            let code = escape == 1 && text[word.lowerBound] == UInt8(ascii: "u") ? 5 : escape
            if let found = whole(word) ?? (code > 0 ? whole(word.dropFirst(code)) : nil) { return found }
            for mark in word where !URIEncoding.isAlphanumeric(text[mark]) {
                if let found = key(mark + 1..<word.upperBound, isStart: false) { return found }
            }
            return nil
        }

        private mutating func whole(_ word: Range<Int>) -> Range<Int>? {
            key(word, isStart: true) ?? webToken(word) ?? bearer(word)
        }

        /// Returns the key of a service with which a part of a word begins.
        private func key(_ part: Range<Int>, isStart: Bool) -> Range<Int>? {
            guard !part.isEmpty, SecretForm.begins[Int(text[part.lowerBound])] else { return nil }
            for form in SecretForm.forms where isStart || form.body != .word {
                guard text[part].starts(with: form.beginning) else { continue }
                let rest = text[part].dropFirst(form.beginning.count)
                let body = form.body == .word ? rest : rest.prefix(while: URIEncoding.isAlphanumeric)
                let isSecret =
                    switch form.body {
                    case .alphanumeric: body.count >= form.least
                    case .word: body.count >= form.least && body.contains(where: \.isASCIIDigit)
                    case .capitals: body.count == form.least && !body.contains { $0 != $0 & ~0x20 && !$0.isASCIIDigit }
                    }
                if isSecret || isCut && body.endIndex == text.count { return part.lowerBound..<body.endIndex }
            }
            return nil
        }

        /// Returns the web token with which a word begins: it has three parts, or five if it is encrypted.
        ///
        /// The second part of a token may be empty (RFC 7516 5.1), and so may be the third (RFC 7519 6).
        private func webToken(_ part: Range<Int>) -> Range<Int>? {
            guard text[part].starts(with: "eyJ".utf8) else { return nil }
            var (end, count) = (part.upperBound, 1)
            while count < 5, end < text.count, text[end] == UInt8(ascii: ".") {
                end = text[(end + 1)...].firstIndex { !SecretForm.isOfWord($0) } ?? text.count
                count += 1
            }
            let isWhole = count >= 3 && part.count >= SecretForm.shortestHeader
            return isWhole || isCut && end == text.count ? part.lowerBound..<end : nil
        }

        /// Returns the token after the scheme `Bearer`: one that is no word, and not the name of a parameter.
        private mutating func bearer(_ part: Range<Int>) -> Range<Int>? {
            guard part.lowerBound >= endOfWords, text[part].elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else {
                return nil
            }
            var start = part.upperBound
            while let step = blank(at: start) { start += step }
            guard start > part.upperBound else { return nil }
            var end = start
            while end < text.count, isOfToken(end) { end += 1 }
            let token = text[start..<end]
            let behind = text[end...].firstIndex { $0 != UInt8(ascii: "=") } ?? text.count
            // In `Bearer realm="…"`, the name of a parameter follows.
            let isName =
                behind > end && behind < text.count && (text[behind] == UInt8(ascii: "\"") || isOfToken(behind))
            let isLong = token.count >= SecretForm.shortestWithoutDigit
            let isToken = token.contains(where: \.isASCIIDigit) || isLong && !isName
            if !token.isEmpty, isToken || isCut && behind == text.count { return start..<behind }
            endOfWords = end
            return nil
        }

        /// Returns the length of the blank at an index, which may be encoded; nil for none.
        private func blank(at index: Int) -> Int? {
            if text[index...].starts(with: "%20".utf8) { return 3 }
            return index < text.count && (HTTPToken.isBlank(text[index]) || text[index] == UInt8(ascii: "+")) ? 1 : nil
        }

        /// Returns whether a bearer token can contain a byte before the `=` at its end (RFC 6750 2.1).
        ///
        /// Some writers of JSON escape slashes.
        private func isOfToken(_ index: Int) -> Bool {
            if text[index] == UInt8(ascii: "\\") {
                return index + 1 < text.count && text[index + 1] == UInt8(ascii: "/")
            }
            return SecretForm.isOfWord(text[index]) || ".~+/".utf8.contains(text[index])
        }
    }

    /// The minimum length of the header of a web token: `eyJ` and ten characters.
    private static let shortestHeader = 13

    /// The number of characters from which on a bearer token need not have a digit; `authentication` has 14.
    private static let shortestWithoutDigit = 20

    private static func isOfWord(_ byte: UInt8) -> Bool {
        URIEncoding.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

extension Redaction {
    /// Replaces the secrets that are known by their form.
    package func hidingForms(in text: [UInt8], isCut: Bool = false) -> [UInt8] {
        guard !hidesNothing else { return text }
        var (shown, end) = ([UInt8](), 0)
        for place in SecretForm.places(in: text, isCut: isCut) {
            shown += text[end..<place.lowerBound] + Array(Self.placeholder.utf8)
            end = place.upperBound
        }
        return end == 0 ? text : shown + text[end...]
    }

    func hidingForms(in text: String) -> String {
        String(decoding: hidingForms(in: Array(text.utf8)), as: UTF8.self)
    }
}
