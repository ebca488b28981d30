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
/// A form begins where its own characters can't continue, so that each character is read a constant number of times.
package enum SecretForm {
    /// The characters after the beginning.
    private enum Body {
        /// Letters and digits.
        case alphanumeric

        /// Letters, digits, `-` and `_`, of which one is a digit, as in each key, and hardly in a word.
        case word

        /// Capitals and digits, exactly as many as the minimum.
        case capitals

        case webToken
        case bearer
    }

    private struct Form {
        let beginning: [UInt8]
        let body: Body

        /// The minimum number of characters after the beginning.
        let least: Int

        init(_ beginning: String, _ body: Body, least: Int = 20) {
            (self.beginning, self.body, self.least) = (Array(beginning.utf8), body, least)
        }
    }

    private static let forms =
        [Form("eyJ", .webToken, least: 10), Form("bearer", .bearer), Form("sk-", .word), Form("glpat-", .word)]
        + ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "npm_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"]
        .map { Form($0, .alphanumeric) }
        + [Form("github_pat_", .word), Form("AIza", .word)]
        + "abceoprs".map { Form("xox\($0)-", .word, least: 10) }
        + ["AKIA", "ASIA"].map { Form($0, .capitals, least: 16) }

    /// The first three characters of each form, in lower case for a bearer token.
    private static let threes = forms.map { $0.beginning.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }

    /// Returns whether a text contains the beginning of a form; true also for some texts without one.
    static func mayOccur(in text: some Sequence<UInt8>) -> Bool {
        var last: UInt32 = 0
        for byte in text {
            last = last << 8 & 0xFF_FFFF | UInt32(byte)
            if isBeginning(last) { return true }
        }
        return false
    }

    /// Returns whether three characters are those of a beginning.
    private static func isBeginning(_ three: UInt32) -> Bool {
        switch three {
        // eyJ, sk-, sk_, rk_
        case 0x65_79_4A, 0x73_6B_2D, 0x73_6B_5F, 0x72_6B_5F: true
        // ghp, gho, ghu, ghs, ghr, git, glp
        case 0x67_68_70, 0x67_68_6F, 0x67_68_75, 0x67_68_73, 0x67_68_72, 0x67_69_74, 0x67_6C_70: true
        // npm, xox, AKI, ASI, AIz
        case 0x6E_70_6D, 0x78_6F_78, 0x41_4B_49, 0x41_53_49, 0x41_49_7A: true
        // bea, in any case
        default: three | 0x20_20_20 == 0x62_65_61
        }
    }

    /// Returns the ranges of the secrets in a text, in order.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8, or in bytes that equal UTF-8 where they are ASCII.
    ///   - isCut: whether there were more characters, so that the last secret may be incomplete.
    package static func places(in text: [UInt8], isCut: Bool = false) -> [Range<Int>] {
        guard mayOccur(in: text) else { return [] }
        var (found, index, last) = ([Range<Int>](), 0, UInt32(0))
        // The end of the text after a `bearer` that is no token; a `bearer` inside of that text has the same end.
        var endOfWords = 0
        let threes = threes
        while index < text.count {
            last = last << 8 & 0xFF_FFFF | UInt32(text[index])
            index += 1
            guard isBeginning(last), isAtStart(index - 3, in: text) else { continue }
            let small = last | 0x20_20_20
            for form in threes.indices
            where threes[form] == last
                || threes[form] == small && forms[form].body == .bearer && index - 3 >= endOfWords
            {
                guard let place = place(of: forms[form], at: index - 3, in: text, isCut: isCut, &endOfWords) else {
                    continue
                }
                found.append(place)
                (index, last) = (place.upperBound, 0)
                break
            }
        }
        return found
    }

    /// Returns false for an index within letters and digits, where no form begins.
    private static func isAtStart(_ index: Int, in text: [UInt8]) -> Bool {
        index < 1 || !URIEncoding.isAlphanumeric(text[index - 1]) || isBehindEscape(index, in: text)
    }

    /// Returns whether a form begins at an index, also after an escape.
    private static func isStart(_ index: Int, of body: Body, in text: [UInt8]) -> Bool {
        index < 1 || !isOf(body, text[index - 1]) || isBehindEscape(index, in: text)
    }

    /// Returns whether the characters before an index are an escape: `\n`, `\u0020` or `%3D`.
    private static func isBehindEscape(_ index: Int, in text: [UInt8]) -> Bool {
        if index > 1, text[index - 2] == .backslash { return "nrtbf".utf8.contains(text[index - 1]) }
        if index > 5, text[index - 6] == .backslash { return text[index - 5] == UInt8(ascii: "u") }
        return index > 2 && text[index - 3] == URIEncoding.percent
    }

    private static func place(
        of form: Form,
        at start: Int,
        in text: [UInt8],
        isCut: Bool,
        _ endOfWords: inout Int
    ) -> Range<Int>? {
        let body = start + form.beginning.count
        guard body < text.count, isStart(start, of: form.body, in: text) else { return nil }
        if form.body == .bearer {
            let isScheme = text[start..<body].elementsEqual(form.beginning) { $0.asciiLowercased == $1 }
            return isScheme ? bearer(behind: body, in: text, isCut: isCut, &endOfWords) : nil
        }
        guard text[start..<body].elementsEqual(form.beginning) else { return nil }
        let end = text[body...].firstIndex { !isOf(form.body, $0) } ?? text.count
        let (count, isOpen) = (end - body, isCut && end == text.count)
        let isSecret =
            switch form.body {
            case .alphanumeric: count >= form.least
            case .word: count >= form.least && text[body..<end].contains(where: \.isASCIIDigit)
            case .capitals: count == form.least && text[body..<end].allSatisfy { isCapital($0) || $0.isASCIIDigit }
            case .webToken, .bearer: false
            }
        if isSecret || isOpen { return start..<end }
        guard form.body == .webToken, count >= form.least else { return nil }
        return webToken(start, endOfFirst: end, in: text, isCut: isCut)
    }

    /// Returns the range of a web token, which has three parts, or five if it is encrypted.
    ///
    /// The second part of a token may be empty (RFC 7516 5.1), and so may be the third (RFC 7519 6).
    private static func webToken(_ start: Int, endOfFirst: Int, in text: [UInt8], isCut: Bool) -> Range<Int>? {
        var (end, count) = (endOfFirst, 1)
        while count < 5, end < text.count, text[end] == UInt8(ascii: ".") {
            end = text[(end + 1)...].firstIndex { !isOfWord($0) } ?? text.count
            count += 1
        }
        return count >= 3 || isCut && end == text.count ? start..<end : nil
    }

    /// Returns the range of the token after a scheme: one that is no word, and not the name of a parameter.
    ///
    /// Otherwise, no token begins before `endOfWords`: a part of these words has no digit and the same end.
    private static func bearer(
        behind scheme: Int,
        in text: [UInt8],
        isCut: Bool,
        _ endOfWords: inout Int
    ) -> Range<Int>? {
        var start = scheme
        while start < text.count {
            if text[start] == UInt8(ascii: " ") || text[start] == UInt8(ascii: "+") {
                start += 1
            } else if text[start...].starts(with: "%20".utf8) {
                start += 3
            } else {
                break
            }
        }
        guard start > scheme else { return nil }
        var end = start
        while end < text.count, isOfToken(text[end]) || isEscapedSlash(end, in: text) { end += 1 }
        let token = text[start..<end]
        let hasDigit = token.contains(where: \.isASCIIDigit)
        let behind = text[end...].firstIndex { $0 != .equals } ?? text.count
        // In `Bearer realm="…"`, the name of a parameter follows.
        let isName = behind > end && behind < text.count && (text[behind] == .quote || isOfToken(text[behind]))
        guard hasDigit || token.count >= shortestWithoutDigit && !isName || isCut && behind == text.count else {
            endOfWords = end
            return nil
        }
        return token.isEmpty ? nil : start..<behind
    }

    /// The number of characters from which on a bearer token need not have a digit; `authentication` has 14.
    private static let shortestWithoutDigit = 20

    /// Returns whether a byte can be after the beginning of a form.
    private static func isOf(_ body: Body, _ byte: UInt8) -> Bool {
        switch body {
        case .alphanumeric, .capitals: URIEncoding.isAlphanumeric(byte)
        case .word, .webToken, .bearer: isOfWord(byte)
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        URIEncoding.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Returns whether a bearer token can contain a byte before the `=` at its end (RFC 6750 2.1).
    private static func isOfToken(_ byte: UInt8) -> Bool {
        isOfWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "/")
    }

    /// Returns whether a slash is escaped at an index, as some writers of JSON do.
    private static func isEscapedSlash(_ index: Int, in text: [UInt8]) -> Bool {
        text[index] == .backslash && index + 1 < text.count && text[index + 1] == UInt8(ascii: "/")
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}

extension Redactor {
    /// Replaces the secrets that are known by their form.
    ///
    /// - Parameters:
    ///   - text: the text, in which the values of secret names are replaced already.
    ///   - isCut: whether there were more characters, so that the last secret may be incomplete.
    mutating func forms(in text: [UInt8], isCut: Bool = false) -> [UInt8] {
        guard redaction.hidesKnownForms else { return text }
        let places = SecretForm.places(in: text, isCut: isCut)
        if places.isEmpty { return text }
        var (shown, end) = ([UInt8](), 0)
        for place in places {
            collect(text[place])
            shown += text[end..<place.lowerBound]
            shown += placeholder(for: text[place])
            end = place.upperBound
        }
        return shown + text[end...]
    }
}

extension Redaction {
    /// Returns false if a text has nothing to hide, as most texts.
    func mayReveal(in text: some Collection<UInt8>) -> Bool {
        text.contains(where: Self.mayReveal) || hidesKnownForms && SecretForm.mayOccur(in: text)
    }
}
