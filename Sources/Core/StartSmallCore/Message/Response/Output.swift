/// The result of an API call: a response, or the reason why there is none that a transform may read.
///
/// A response of any status is a response; a transform decides on its meaning.
///
/// A response that a rule of the app rejects is both: ``Wrapper/validate(_:)`` returns ``noResponse(_:)`` with
/// ``ConnectionError/rejected(_:reason:)``, so that no transform reads the response, and ``response`` is still there
/// for retries, new tokens and other wrappers. So is a response outside of 2xx whose payload is broken.
public enum Output: Hashable, Sendable {
    /// The server answered.
    case hasResponse(Response)

    /// The server did not answer, or not completely, or its response is refused.
    ///
    /// Some errors keep a response: ``ConnectionError/response``.
    case noResponse(ConnectionError)
}

extension Output {
    /// The response by whose status and header fields wrappers decide; nil if there is none.
    ///
    /// Neither a rejection by a rule of the app nor a broken payload changes what a response asks for: a 503 is
    /// retried, a 302 is followed, a 401 requires a new token. A payload is broken if it ends early, can't be decoded,
    /// or is larger than its limit; the part that arrived is the payload of the response. A 2xx with a broken payload
    /// is no success, and there is no response then.
    public var response: Response? {
        switch self {
        case .hasResponse(let response), .noResponse(.rejected(let response, _)): response
        // The wrapper has already done what the response asks for.
        case .noResponse(.refused): nil
        case .noResponse(let error): error.response.flatMap { $0.statusCode.isSuccess ? nil : $0 }
        }
    }

    /// The body that is still to be read; nil if there is none.
    var body: ResponseBody? {
        // Reads one part in place: to bind the response would copy all of them, in each wrapper of each call.
        if case .hasResponse(let response) = self, case .body(let body) = response.content { body } else { nil }
    }

    /// Calls a function exactly once, when nothing more arrives: now, unless a body is still to be read.
    ///
    /// - Parameter act: receives the end. It must not keep the body, which would then not end when it is dropped.
    /// - Returns: this output.
    @discardableResult
    public consuming func onEnd(_ act: @escaping @Sendable (ResponseBody.End) -> Void) -> Output {
        if let body { body.onEnd(act) } else { act(connectionError.map { .failed($0) } ?? .complete) }
        return self
    }

    /// Calls a function exactly once, when nothing more arrives, with the output that a whole call would have had.
    ///
    /// After a body, that is the head of the response with its trailers, the error that ended the body, or
    /// ``ConnectionError/cancelled`` if the rest was discarded.
    ///
    /// - Returns: this output.
    @discardableResult
    public consuming func whenEnded(_ act: @escaping @Sendable (Output) -> Void) -> Output {
        guard let body, let head = response?.head else {
            act(self)
            return self
        }
        body.whenEnded { summary in
            var read = head.delivering(summary.count)
            read.trailers = summary.trailers
            switch summary.end {
            case .complete: act(.hasResponse(read))
            case .failed(let error): act(.noResponse(error.keeping(read)))
            case .discarded: act(.noResponse(.cancelled))
            }
        }
        return self
    }

    /// Returns this output with its response changed, or the response that its error keeps, if there is one.
    ///
    /// - Parameter change: returns the response in place of the one that it receives.
    public func mapResponse(_ change: (Response) -> Response) -> Output {
        switch self {
        case .hasResponse(let response): .hasResponse(change(response))
        case .noResponse(let error): .noResponse(error.changingResponse(change))
        }
    }

    /// Returns this output with its body changed, if a body is still to be read.
    ///
    /// - Parameter change: returns the body in place of the one that it receives.
    public consuming func mapBody(_ change: (ResponseBody) -> ResponseBody) -> Output {
        guard let body, var response else { return self }
        response.content = .body(change(body))
        return .hasResponse(response)
    }

    /// Returns the output when the first chunk of its body has arrived; an error before that, if there is one.
    ///
    /// Until then, no byte was delivered, so that a wrapper may call `next` again.
    public consuming func awaitingFirstChunk() async -> Output {
        guard let body, var response else { return self }
        do throws(ConnectionError) {
            response.content = .body(try await body.awaitingFirstChunk())
            return .hasResponse(response)
        } catch {
            return .noResponse(error.keeping(response.head))
        }
    }

    /// Whether a payload is still to be read, or in a file that is not in its place.
    @usableFromInline
    var isOpen: Bool {
        if case .hasResponse(let response) = self { !response.isComplete } else { false }
    }

    /// Ends the transfer of a body that is still to be read, such as that of an output that another one replaces.
    ///
    /// - Returns: this output without a body or a file.
    @discardableResult
    public consuming func discard() -> Output {
        guard isOpen, let head = response?.head else { return self }
        body?.discard()
        return .hasResponse(head)
    }

    /// The reason why there is no response to read; nil if there is one.
    public var connectionError: ConnectionError? {
        if case .noResponse(let error) = self { error } else { nil }
    }
}

extension ConnectionError {
    /// Returns the error with a response as far as it had arrived, unless the error has another one.
    ///
    /// An error with the same head gets the number of bytes that were read after it.
    func keeping(_ partial: Response) -> ConnectionError {
        changingCause { if $0.partial == nil || $0.partial == partial.head { $0.partial = partial } }
    }
}
