import StartSmall

/// A listener that shows a person how a response begins: its status and its headers, credentials redacted.
enum ResponseHead {
    static func listener(_ console: Console) -> Listener {
        Listener { (event: Event) in
            guard case .received(let response) = event else { return }
            for line in lines(of: response) { console.error(console.styled(line, .faint, on: .error)) }
        }
    }

    /// The redirections that led here, the status, the headers, and an empty line before what follows.
    static func lines(of response: Response) -> [String] {
        response.redirections.map(\.description) + ["\(response.statusCode)"]
            + response.headers.fields.map(\.description) + [""]
    }
}
