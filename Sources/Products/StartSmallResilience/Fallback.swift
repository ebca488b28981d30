public import StartSmallCore
import StartSmallRetry

extension Wrapper {
    /// Calls another connector after a failure: a second data center, or a stub with default values.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .fallback(to: mirror), .retry(), .circuitBreaker())
    /// ```
    ///
    /// If the other connector fails, too, the output is that of the first one. The head of a stream decides: after
    /// that, nothing is replaced.
    ///
    /// - Parameters:
    ///   - connector: the connector to call; it gets the request as the outer wrappers changed it, with the credentials
    ///     that they added.
    ///   - isFailure: whether to call the other connector; by default when the service is unavailable. A request that
    ///     was not sent (`circuitOpen`, `rateLimited`, `tooManyCalls`) may always go elsewhere. After a transient
    ///     failure (`RetryCondition.isTransient`), only a request that is safe to replay may, since the service may
    ///     have carried it out.
    /// - Passes through: all outputs that are no such failure; outputs for a payload that can be produced only once
    ///   (`Payload.isAvailable`). For a stream, the head decides.
    /// - Order: outside of `.retry` and `.circuitBreaker`. Outside of `.baseURL` and of wrappers that add credentials,
    ///   if the other connector belongs to another server: it must not get the credentials of this one.
    /// - Events: ``FallingBack`` before the other connector is called, and if it fails; and the events of that
    ///   connector.
    public static func fallback(
        to connector: Connector,
        after isFailure: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool = isUnavailable
    ) -> Wrapper {
        let fallback = Wrapper { input, next in
            let next = next.with { $0.isAttempt = true }
            let output = await next(input)
            guard isFailure(input, output), input.methodAndPayload.payload?.isAvailable != false,
                !Task.isCancelled, !next.context.isDryRun
            else { return output }
            next.report(FallingBack.began(after: output.reason))
            let other = await connector.connect(input, next.context)
            guard other.connectionError != nil || RetryCondition.isTransient(other) || isFailure(input, other) else {
                output.discard()
                return other
            }
            next.report(FallingBack.failed(other.reason))
            other.discard()
            return output
        }
        return Wrapper("fallback(to:)") { $0.wrapped(by: fallback).sharingCallValues(with: [connector]) }
    }

    /// Answers with a response after a failure, such as an empty list.
    ///
    /// - Parameters:
    ///   - response: the response to return.
    ///   - isFailure: whether to return the response; by default when the service is unavailable, as for another
    ///     connector.
    /// - SeeAlso: ``fallback(to:after:)-(Connector,_)``
    public static func fallback(
        to response: Response,
        after isFailure: @escaping @Sendable (_ input: Input, _ output: Output) -> Bool = isUnavailable
    ) -> Wrapper {
        let fallback = fallback(to: Connector { _ in .hasResponse(response) }, after: isFailure)
        return Wrapper("fallback") { $0.wrapped(by: fallback) }
    }

    /// Returns whether a service is unavailable, and another one may get the request.
    @usableFromInline static func isUnavailable(_ input: Input, _ output: Output) -> Bool {
        RetryCondition.standard(input, output)
            || output.connectionError.map {
                $0.mayPass && (!$0.mayHaveBeenSent || RetryCondition.isSafeToReplay(input))
            } ?? false
    }
}

/// The use of another connector, as `.fallback` reports it.
public enum FallingBack: ReportedEvent {
    /// The other connector is called after a failure, such as `circuitOpen` or `status 503`.
    case began(after: String)

    /// The other connector failed too, so that the first failure is returned.
    case failed(String)

    /// The name of the event.
    public var name: String { "fallback" }
}

extension Output {
    fileprivate var reason: String {
        switch self {
        case .hasResponse(let response): "status \(response.statusCode.code)"
        case .noResponse(let error): error.name
        }
    }
}
