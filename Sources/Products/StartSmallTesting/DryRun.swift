public import StartSmallCore

/// The result of `Connector.dryRun(_:)`: the first request that a call would send, or its output without one.
public enum DryRun: Equatable, Sendable {
    /// The first request that the call would send, as it reaches the engine.
    case request(Input)

    /// The output with which a wrapper would end the call, without a request.
    case output(Output)

    /// The request; nil if there is none.
    public var request: Input? {
        if case .request(let input) = self { input } else { nil }
    }

    /// The names of the options of the call that no wrapper reads, sorted: they have no effect.
    ///
    /// ```swift
    /// #expect(await app.dryRun(user.with(.retries(0))).unreadOptions == [])
    /// ```
    ///
    /// Nil if the call sends no request. A wrapper that reads an option only after a response has not read it.
    public var unreadOptions: [String]? { request?.options.unreadNames }

    /// The output of a call that would send no request; nil if it would send one.
    public var output: Output? {
        if case .output(let output) = self { output } else { nil }
    }
}

extension DryRun: CustomStringConvertible {
    /// The request or the output on one line, with credentials redacted by `Redaction.standard`.
    public var description: String {
        switch self {
        case .request(let input): "\(input)"
        case .output(.hasResponse(let response)): "no request, but \(response)"
        case .output(.noResponse(let error)): "no request, but \(error)"
        }
    }
}

extension Connector {
    /// Returns the first request that a call would send, without sending it.
    ///
    /// ```swift
    /// let request = await app.dryRun(input).request
    /// ```
    ///
    /// The wrappers run as in a call. The innermost connector is not called: it ends the dry run. Listeners receive no
    /// events.
    ///
    /// The functions of the app that wrappers call are called: for credentials, header fields and keys. The wrappers of
    /// the kit do nothing else that lasts, see `CallContext.isDryRun`: they send no request of their own, such as for
    /// a new token, wait for no permit and for no other call, count nothing, and write no log. A custom wrapper that
    /// keeps state, or that makes calls by `WebAPI`, has to read that property, too.
    ///
    /// A connector whose function is its own, by `Connector { … }`, is the innermost one, even if it calls another.
    @concurrent
    public func dryRun(_ input: Input) async -> DryRun {
        let (request, output) = await recorded(input)
        return request.map(DryRun.request) ?? .output(output)
    }

    /// Returns the first request that a call of an endpoint would send, without sending it.
    @concurrent
    public func dryRun<Failure, Value>(_ endpoint: Endpoint<Failure, Value>) async -> DryRun {
        switch endpoint.input {
        case .left(let error): .output(.noResponse(error))
        case .right(let input): await dryRun(input)
        }
    }
}
