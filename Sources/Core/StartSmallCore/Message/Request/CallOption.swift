/// A choice of the caller for one call, in place of what the wrappers of its connector do by default.
///
/// ```swift
/// let user = try await User.endpoint.value(via: .app, options: [.timeLimit(.seconds(2)), .retries(0)])
/// let report = Report.endpoint.with(.timeLimit(.seconds(600)), .attemptTimeLimit(.seconds(120)))
/// let app = Connector.standard.wrapped(by: .retry(), .timeout(.seconds(10))).with(defaults: .retries(1))
/// ```
///
/// A choice at the call counts before one of the endpoint, and that before a default of the connector. An option that is
/// out of its range ends the call with an error before anything is sent. An option of an app is a ``RequestOption``,
/// which a wrapper of the app reads:
///
/// ```swift
/// extension CallOption {
///     static func tenant(_ id: String) -> CallOption { CallOption(Tenant.self, id) }
/// }
/// ```
public struct CallOption: Sendable {
    let change: @Sendable (_ request: inout Request, _ isDefault: Bool) throws(ConnectionError) -> Void
    private var begin: (@Sendable () -> CallOption)?

    /// Creates an option from a change of the request.
    ///
    /// - Parameters:
    ///   - begin: returns the option for several requests, of which the first one begins now; nil for this one.
    ///   - change: changes the request, or throws the error with which the call ends. A default changes only what the
    ///     caller has not chosen.
    public init(
        beginning begin: (@Sendable () -> CallOption)? = nil,
        _ change: @escaping @Sendable (_ request: inout Request, _ isDefault: Bool) throws(ConnectionError) -> Void
    ) {
        (self.change, self.begin) = (change, begin)
    }

    /// Creates an option for the wrappers that read its type.
    ///
    /// - Parameters:
    ///   - option: the type of the option.
    ///   - value: the value for the call.
    public init<Option: RequestOption>(_ option: Option.Type, _ value: Option.Value) {
        self.init { $0.options.set(option, to: value, isDefault: $1) }
    }

    /// The option for several requests, of which the first one begins now.
    fileprivate var begun: CallOption { begin?() ?? self }
}

extension Either where Left == ConnectionError, Right == Input {
    /// Returns the request with options: `.get(url).with(.retries(0))`; an error if one of them is out of its range.
    public func with(_ options: CallOption...) -> Self { with(options) }

    /// Returns the request with options; an error if one of them is out of its range.
    public func with(_ options: [CallOption]) -> Self {
        flatMap { request in
            var request = request
            do throws(ConnectionError) {
                for option in options { try option.change(&request, false) }
                return .right(request)
            } catch {
                return .left(error)
            }
        }
    }
}

extension Endpoint {
    /// Returns this endpoint with options for each of its calls: `report.with(.timeLimit(.seconds(600)))`.
    public func with(_ options: CallOption...) -> Endpoint { with(options) }

    /// Returns this endpoint with options for each of its calls.
    public func with(_ options: [CallOption]) -> Endpoint { Endpoint(input.with(options), read: read) }

    /// Calls the API with options for this call, of which the last one of a kind counts.
    ///
    /// - SeeAlso: ``Fetchable/fetch(via:options:)``
    public func fetch(via connector: Connector, options: [CallOption]) async -> Fetched<Failure, Value> {
        await with(options).fetch(via: connector)
    }
}

extension Fetchable {
    /// Calls the API with options for each request that has not chosen its own; a time limit is a common end of them.
    ///
    /// - SeeAlso: ``Fetchable/fetch(via:options:)``
    public func fetch(via connector: Connector, options: [CallOption]) async -> Fetched<Failure, Value> {
        await fetch(via: connector.with(defaults: options.map(\.begun)))
    }

    /// Calls the API with options for this call, and returns the value, or throws the failure.
    ///
    /// - Throws: ``CallError``.
    /// - SeeAlso: ``fetch(via:options:)``
    public func value(via connector: Connector, options: [CallOption]) async throws(CallError<Failure>) -> Value {
        try await fetch(via: connector, options: options).get()
    }
}

extension Connector {
    /// Returns this connector with options for each call that does not choose its own ones.
    ///
    /// This is no wrapper: whether it is called before or after ``wrapped(by:)`` makes no difference. Of two defaults,
    /// the later one counts. Calls that a wrapper makes by ``WebAPI``, such as for a new token, have none of them.
    public func with(defaults options: CallOption...) -> Connector { with(defaults: options) }

    /// Returns this connector with options for each call that does not choose its own ones.
    public func with(defaults options: [CallOption]) -> Connector {
        var connector = self
        connector.options += options
        return connector
    }

    /// Returns the output of a request with its options, each of which can act around all wrappers.
    ///
    /// - Parameter isCall: whether the call begins here; otherwise, only the defaults of this connector act.
    @inline(never)
    func output(of input: Input, withOptionsIn context: CallContext, isCall: Bool) async -> Output {
        if isCall, Task.isCancelled { return .noResponse(.cancelled) }
        var input = input
        let outer = isCall ? RequestOptions() : input.options
        do throws(ConnectionError) {
            for option in options { try option.change(&input, true) }
        } catch {
            return .noResponse(error)
        }
        if context.isDryRun { input.options.noteReads() }
        return await input.options.run(input, Next(handler: handler, context: context), except: outer)
    }
}
