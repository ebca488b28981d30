import Foundation

/// The error of a failed token request (RFC 6749 5.2), for the text of an error.
enum OAuthErrorText {
    /// The largest payload that is read, in bytes: an error response has two short texts and a URL.
    private static let maximumPayload = 16 * 1024

    /// The largest text that is shown, in bytes.
    private static let maximumText = 256

    private struct Payload: Decodable {
        let error: String
        let description: String?

        init(error: String, description: String?) { (self.error, self.description) = (error, description) }

        private enum CodingKeys: String, CodingKey {
            case error
            case description = "error_description"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            error = try container.decode(String.self, forKey: .error)
            // A server that sends something else here has still named its error.
            description = try? container.decodeIfPresent(String.self, forKey: .description)
        }
    }

    /// The text for a form with tokens, such as GitHub sends without `Accept` (Authorizing OAuth apps, GitHub Docs).
    private static let tokensInForm =
        "the response is a form, not JSON (RFC 6749 5.1), which some servers only send for Accept: application/json"

    /// Returns the error and its description, such as `invalid_grant: the refresh token has expired`.
    ///
    /// A text that the RFC does not allow is left out: it may only have visible characters of ASCII and spaces.
    ///
    /// - Parameters:
    ///   - response: the response to the token request.
    ///   - secrets: the values of the request that the server may repeat, and that are hidden.
    /// - Returns: the text; nil if the response has no such error.
    static func text(of response: Response, hiding secrets: [String]) -> String? {
        guard response.payload.count <= maximumPayload else { return nil }
        let form = form(response.payload)
        if form["access_token"] != nil { return tokensInForm }
        guard
            let payload = (try? JSONDecoder().value(Payload.self, from: response.payload))
                ?? form["error"].map({ Payload(error: $0, description: form["error_description"]) }),
            isShown(payload.error), !payload.error.isEmpty
        else { return nil }
        let description = payload.description.map { isShown($0) && !$0.isEmpty ? ": \($0)" : "" } ?? ""
        let text = secrets.filter { !$0.isEmpty }.reduce(payload.error + description) {
            $0.replacing($1, with: Redaction.placeholder)
        }
        return Redaction.standard.shown(text: text)
    }

    /// Returns the fields of a form (`application/x-www-form-urlencoded`); empty if the payload is none.
    private static func form(_ payload: Data) -> [Substring: String] {
        guard payload.allSatisfy({ (0x21...0x7E).contains($0) && !#""<>{}"#.utf8.contains($0) }) else { return [:] }
        let pairs = String(decoding: payload, as: UTF8.self).split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count == 2 ? parts[1].replacing("+", with: " ").removingPercentEncoding : nil
            return (parts[0], value ?? "")
        }
        return Dictionary(pairs) { first, _ in first }
    }

    private static func isShown(_ text: String) -> Bool {
        text.utf8.count <= maximumText && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
