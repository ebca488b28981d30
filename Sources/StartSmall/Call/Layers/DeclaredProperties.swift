extension WrapperDeclaration {
    /// A part or a property of requests and responses.
    public enum Aspect: Hashable, Sendable {
        /// The method.
        case method

        /// The URL without its query: scheme, host, port and path.
        case url

        /// The query items of the request, and the query of the URL.
        case queries

        /// The query item of this name.
        case query(String)

        /// Any header fields.
        case headers

        /// The header field of this name, ignoring case.
        case header(String)

        /// The payload of the request.
        case payload

        /// The form in which the response's payload is delivered, and its limit.
        case delivery

        /// The response, or the error in place of one.
        case response

        /// The credentials of the caller.
        case credentials

        /// The cookies.
        case cookies

        /// The key by which a server recognizes a repeated request.
        case idempotencyKey

        /// The signature of the request, which is valid as long as no part that the wrapper reads is changed.
        case signature
    }

    /// A reason for which one call sends several requests.
    public enum Repetition: Hashable, Sendable {
        /// The previous attempt has failed: the request is sent again.
        case afterFailure

        /// The previous attempt takes long: the request is sent again while that attempt still runs.
        case concurrently

        /// The credentials were rejected: the request is sent again with others.
        case withOtherCredentials

        /// The response refers to another URL, to which the next request is sent.
        ///
        /// - Parameter dropping: the names of the header fields that are dropped at another origin, in addition to
        ///   those that ``Redaction/standard`` hides.
        case redirected(dropping: Set<String>)

        /// The response is not the requested one: another request is sent, such as for a complete payload.
        case changed
    }

    /// An event that a call waits for, apart from the inner connector.
    public enum Waiting: Hashable, Sendable {
        /// A point in time.
        case delay

        /// A permit, which the call holds until the inner connector has returned.
        case permit

        /// A turn among the requests of a limited rate; the running call holds nothing that others wait for.
        case turn

        /// The result of another call, or of a request that several calls share.
        case result
    }

    /// A reason for which a call ends without a request.
    public enum ShortCircuit: Hashable, Sendable {
        /// The request is refused, regardless of the outcomes of earlier calls.
        case refusal

        /// Earlier calls have failed.
        case failures

        /// The stored response of an earlier call is the answer.
        case storedResponse

        /// The response of a running call is the answer.
        case responseInFlight

        /// The wrapper has its own response, as a stub has.
        case ownResponse
    }

    /// A unit of work for which a wrapper must run once.
    public enum Unit: Hashable, Sendable {
        /// The call with all of its attempts: the wrapper belongs outside of a retry.
        case call

        /// An attempt with its redirects: the wrapper belongs inside of a retry.
        case attempt

        /// A request: the wrapper belongs inside of a retry, and of redirects.
        case request
    }
}

extension WrapperDeclaration.Aspect {
    /// Whether a change of another aspect certainly changes this one.
    func isChanged(by change: Self) -> Bool {
        switch (self, change) {
        case (.header(let own), .header(let other)): own.lowercased() == other.lowercased()
        case (.headers, .header), (.queries, .query): true
        default: self == change
        }
    }
}
