import StartSmallCore

/// A value that was read from a response, and the response; the next request may depend on its headers.
struct ResponseTagged<Value: Sendable>: Sendable {
    let value: Value
    let response: Response
}

extension ResponseTagged: Error where Value: Error {}

extension Endpoint {
    /// A copy whose value and failure have the response that they were read from; listeners observe the same events.
    var taggedWithResponse: Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>> {
        Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>>(input) { [read] response in
            let (result, event) = read(response)
            let tagged = result.mapLeft { ResponseTagged<Failure>(value: $0, response: response) }
                .map { ResponseTagged<Value>(value: $0, response: response) }
            return (tagged, event)
        }
    }
}
