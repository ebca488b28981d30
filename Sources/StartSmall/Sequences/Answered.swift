/// What was read of a response, together with the response: what comes next may depend on its headers.
struct Answered<Reading: Sendable>: Sendable {
    let reading: Reading
    let response: Response
}

extension Answered: Error where Reading: Error {}

extension Endpoint {
    /// The same endpoint, but value and failure come with the response they were read of; listeners hear the same.
    var answered: Endpoint<Answered<Failure>, Answered<Value>> {
        Endpoint<Answered<Failure>, Answered<Value>>(input) { [read] response in
            let (value, event) = read(response)
            let answered = value.mapLeft { Answered<Failure>(reading: $0, response: response) }
                .map { Answered<Value>(reading: $0, response: response) }
            return (answered, event)
        }
    }
}
