import Foundation
import Synchronization

/// One request that a connector sends for a call, as its response identifies it.
///
/// A call may need several requests, and bytes of one attempt must not be taken for bytes of another.
///
/// A class, since attempts differ by identity, and since a reference adds only one word to the size of a response.
final class Attempt: Sendable {
    /// The requested URL, without its fragment.
    let url: String

    /// The `Range` of the request; nil if there is none.
    let range: String?

    /// The number of bytes that were passed to the consumer.
    fileprivate let deliveredBytes = Atomic(0)

    init(_ input: Input) {
        url = URIEncoding.withoutFragment(input.calledURL.absoluteString)
        range = input.headers["Range"]
    }
}

extension Input {
    /// Calls an innermost connector, and marks with their attempt the parts that a payload consumer takes.
    ///
    /// Applies only where a consumer takes the payload in parts. The consumer is notified if the attempt fails.
    ///
    /// - Parameter connect: the connector, which has no other one inside.
    func attempting(_ connect: (Input) async -> Output) async -> Output {
        guard case .consumer(let consumer) = destination else { return await connect(self) }
        let attempt = Attempt(self)
        var input = self
        let marking = consumer.preparing { part in
            switch part {
            case .head(let response): return .head(response.marked(attempt))
            case .chunk(let data):
                attempt.deliveredBytes.wrappingAdd(data.count, ordering: .relaxed)
                return part
            }
        }
        input.destination = .consumer(marking)
        switch await connect(input) {
        case .hasResponse(let response): return .hasResponse(response.marked(attempt))
        case .noResponse(let error):
            consumer.attemptFailed(attempt)
            let count = attempt.deliveredBytes.load(ordering: .relaxed)
            return .noResponse(count == 0 ? error : error.changingResponse { $0.delivering(count) })
        }
    }
}

extension Response {
    fileprivate func marked(_ attempt: Attempt) -> Response {
        var response = self
        response.called.attempt = attempt
        return response.delivering(attempt.deliveredBytes.load(ordering: .relaxed))
    }

    /// Returns the response with the number of bytes of its payload that a file or a consumer received.
    func delivering(_ count: Int) -> Response {
        var response = self
        response.called.deliveredBytes = count
        return response
    }
}
