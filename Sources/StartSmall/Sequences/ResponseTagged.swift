/// A value that was read from a response, and the response; the next request may depend on its headers.
struct ResponseTagged<Reading: Sendable>: Sendable {
    let reading: Reading
    let response: Response
}

extension ResponseTagged: Error where Reading: Error {}

extension Endpoint {
    /// A copy whose value and failure have the response that they were read from; listeners observe the same events.
    var taggedWithResponse: Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>> {
        Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>>(input) { [read] response in
            let (value, event) = read(response)
            let tagged = value.mapLeft { ResponseTagged<Failure>(reading: $0, response: response) }
                .map { ResponseTagged<Value>(reading: $0, response: response) }
            return (tagged, event)
        }
    }
}
