import StartSmallCore
import StartSmallSupport

/// The requests that `.retry` sends again, or not, because the response says so in `X-Should-Retry`.
///
/// The field, of the APIs of OpenAI and Anthropic, is `true` or `false`; anything else is no hint, nor are both. It has
/// no effect on 2xx and 3xx, and on 401, 403 and 407, which ask for something else: with the same credentials, the next
/// attempt would fail as well. `true` adds no attempt, no time and no retry to those of the policy and its budget.
public enum ServerHints: Hashable, Sendable {
    /// No request: the field is not read.
    case ignored

    /// Requests that are safe to replay (``RetryCondition/isSafeToReplay(_:)``); `false` holds for all requests.
    case safeToReplay

    /// All requests, also a POST without an `Idempotency-Key`, as the APIs of language models expect it.
    ///
    /// The server must have seen that it did not carry the request out.
    case anyMethod

    /// Returns whether to send a request again; nil if the response does not say so, or the request is none of these.
    func decision(on input: Input, after output: Output) -> Bool? {
        guard self != .ignored, let shouldRetry = output.response?.shouldRetry else { return nil }
        return !shouldRetry || self == .anyMethod || RetryCondition.isSafeToReplay(input) ? shouldRetry : nil
    }
}

extension Response {
    /// Whether the server wants the request again; nil if it does not say so.
    fileprivate var shouldRetry: Bool? {
        guard statusCode.code >= 400, ![.unauthorized, .forbidden, .proxyAuthenticationRequired].contains(statusCode)
        else { return nil }
        let values = headers.values(of: "X-Should-Retry")
        func all(are hint: String) -> Bool { values.allSatisfy { $0.isSame(withoutCase: hint) } }
        if values.isEmpty { return nil }
        return all(are: "true") ? true : all(are: "false") ? false : nil
    }
}
