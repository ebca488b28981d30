import Foundation

/// One request that a connector sends for a call, as its response is to know it: a call may need several, and what one of
/// them brings must not be taken for that of another.
///
/// A class, as one attempt is told from another by its identity, and a response has one more word for it, and no more.
final class Attempt: Sendable {
    /// The URL that is asked for, without its fragment.
    let url: String

    /// The `Range` that is asked for; nil if there is none.
    let range: String?

    init(_ input: Input) {
        url = URIEncoding.withoutFragment(input.calledURL.absoluteString)
        range = input.headers["Range"]
    }
}

extension Input {
    /// Calls a connector that has no other one inside, where the payload is taken in parts: what comes knows of its attempt,
    /// and the receiver is told if the attempt breaks off.
    func attempting(_ connect: (Input) async -> Output) async -> Output {
        guard case .consumer(let consumer) = destination else { return await connect(self) }
        let attempt = Attempt(self)
        var input = self
        input.destination = .consumer(consumer.marking(attempt))
        switch await connect(input) {
        case .noResponse(let error):
            consumer.attemptFailed(attempt)
            return .noResponse(error)
        case .hasResponse(let response): return .hasResponse(response.marked(attempt))
        }
    }
}

extension PayloadConsumer {
    /// The same receiver, each head that it is given marked as one of this attempt.
    fileprivate func marking(_ attempt: Attempt) -> PayloadConsumer {
        preparing { part in
            if case .head(let response) = part { .head(response.marked(attempt)) } else { part }
        }
    }
}

extension Response {
    fileprivate func marked(_ attempt: Attempt) -> Response {
        var response = self
        response.called.attempt = attempt
        return response
    }
}
