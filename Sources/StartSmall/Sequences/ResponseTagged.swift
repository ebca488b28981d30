/// What was read of a response, together with the response: what comes next may depend on its headers.
struct ResponseTagged<Reading: Sendable>: Sendable {
    let reading: Reading
    let response: Response
}

extension ResponseTagged: Error where Reading: Error {}

extension Endpoint {
    /// The same endpoint, but value and failure come with the response they were read of; listeners hear the same.
    var answered: Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>> {
        Endpoint<ResponseTagged<Failure>, ResponseTagged<Value>>(input) { [read] response in
            let (value, event) = read(response)
            let answered = value.mapLeft { ResponseTagged<Failure>(reading: $0, response: response) }
                .map { ResponseTagged<Value>(reading: $0, response: response) }
            return (answered, event)
        }
    }
}
