import Foundation
import StartSmall
@testable import StartSmallDiagnostics
import TestSupport
import Testing

/// Secrets that are known by their form, without a name.
struct SecretFormTests {
    /// The end of each secret, which must not be shown.
    private static let end = "0hunter2"

    /// A secret of each form.
    private static let secrets =
        [
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig_\(end)", "eyJhbGciOiJIUzI1NiJ9.e30.\(end)",
            "eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.\(end)", "sk-proj-abcdefghijklmn_\(end)",
            "sk-ant-api03-abcdefghijklm\(end)", "github_pat_11ABCDEFG0abcdefghijkl_\(end)",
            "glpat-abcdefghijklmn-\(end)", "AIzaSyAbcdefghijklmnopqrstuvwx-\(end)",
            "npm_abcdefghijklmnopqrstuvwxyz\(end)",
        ] + "pousr".map { "gh\($0)_abcdefghijklmnopqrstuvwx\(end)" }
        + ["sk_live_", "sk_test_", "rk_live_"].map { "\($0)abcdefghijklmnop\(end)" }
        + ["xoxb-", "xoxp-", "xoxe-"].map { "\($0)123456-\(end)" }
        + ["AKIAIOSF0HUNTER2EXAM", "ASIAIOSF0HUNTER2EXAM"]

    private static func isShown(_ text: some StringProtocol) -> Bool {
        text.utf8.contains(end.utf8) || text.utf8.contains("0HUNTER2".utf8)
    }

    @Test("a secret of a known form is shown in no payload and no command", arguments: secrets)
    func hidden(_ secret: String) {
        let redaction = Redaction.standard
        let inTexts = [
            secret, "the token \(secret) is wrong", "(\(secret))", "\"\(secret)\",", "\n\(secret)\n", "a:\(secret)",
            #"{"a":"\#(secret)"}"#, #"{"a":"x\n\#(secret)"}"#, #"["\#(secret)"]"#, "a=\(secret)&b=1",
            "<a>\(secret)</a>",
            "https://h/reset/\(secret)/now", "https://h/?a=\(secret)&b=1", "https://h/?next=x%3Dy%3D\(secret)",
            #"{"a":"{\"b\":\"\#(secret)\"}"}"#, "{'a': '\(secret)'}", #"{"a":"\u0020\#(secret)"}"#,
        ]
        for text in inTexts {
            #expect(!Self.isShown(redaction.hidingForms(in: text)), "\(text)")
            let oneLine = text.replacingOccurrences(of: "\n", with: " ")
            // An escape of JSON is no beginning of a word in a URL, where its backslash is encoded.
            let queries = text.contains("\\") ? [] : [URLQueryItem(name: "a", value: text)]
            let sent = Input(url: Fixture.url, queries: queries, headers: ["X-A": oneLine])
            #expect(!Self.isShown(sent.curlCommand()), "\(text)")
            for type in [nil, MediaType.json, .form, .text] {
                let shown = redaction.shown(payload: Data(text.utf8), mediaType: type, limit: .max)
                #expect(!Self.isShown(shown), "\(text)")
                #expect(Self.isShown(Redaction.none.shown(payload: Data(text.utf8), mediaType: type, limit: .max)))
                let payload = Payload(.data(Data(text.utf8)), mediaType: type)
                let input = Input(url: Fixture.url, methodAndPayload: .post(payload: payload))
                #expect(!Self.isShown(input.curlCommand()))
            }
        }
        #expect(Self.isShown(Redaction.none.hidingForms(in: secret)))
        #expect(!Self.isShown(Redaction(names: ["x"], words: []).hidingForms(in: secret)))
    }

    @Test(
        "a bearer token is hidden, whatever its form is",
        arguments: ["Bearer abc0hunter2", "bearer abc0hunter2=", "BEARER  a.b~c+d/0hunter2==", "Bearer%20abc0hunter2"]
            + ["Bearer+abc0hunter2", "Bearer abc\\/0hunter2", "Bearer abcdefghijklmnopqrst0hunter2"]
    )
    func bearer(_ text: String) {
        for text in [text, "{\"a\":\"\(text)\"}", "curl -H X:\(text)", "a=\(text)"] {
            let shown = Redaction.standard.hidingForms(in: text)
            #expect(!Self.isShown(shown), "\(text)")
            #expect(shown.lowercased().contains("bearer"))
        }
    }

    @Test(
        "text that only begins like a secret is shown",
        arguments: [
            "Bearer token required", "the bearer of this letter", "Bearer authentication is needed",
            #"Bearer realm="example 1", error="invalid_token""#, "Bearer resource_metadata=https", "eyJ",
            "eyJhbGci.json", "task-0123456789012345678901234", "disk-12345678901234567890",
            "sk-visually-hidden-control-text", "sk-1", "npm_config_registry", "npm_lifecycle_event_2", "ghp_short1",
            "glpat-x", "AKIAlowercaseletters", "AKIAIOSFODNN7EXAMPLETOOLONG", "MAKIAIOSFODNN7EXAMPLE",
            "xoxz-1234567890123", "AIza", "github_pattern", "Aloha", "a.b.c",
        ]
    )
    func shown(_ text: String) {
        #expect(Redaction.standard.hidingForms(in: text) == text)
    }

    @Test("a log that is cut inside of a secret shows no part of it after its first characters", arguments: secrets)
    func cut(_ secret: String) {
        let text = "the token \(secret) is wrong"
        for limit in 0..<text.utf8.count {
            let shown = Redaction.standard.shown(payload: Data(text.utf8), mediaType: .text, limit: limit)
            let known = secret.prefix { $0 != "." }.prefix(12)
            #expect(!shown.contains(known) && !Self.isShown(shown), "\(shown)")
        }
    }
}
