import Foundation
import StartSmall

extension Scrubbing {
    /// An exchange without the values whose names tell that they are secret, and these values.
    func hidden(_ exchange: Exchange) -> (exchange: Exchange, secrets: Set<String>) {
        let (exchange, secrets) = hidden { exchange.changed(by: $0) }
        return (exchange, secrets)
    }

    /// A request without the values whose names tell that they are secret, and these values.
    func hidden(_ input: Input) -> (input: Input, secrets: Set<String>) {
        let (input, secrets) = hidden { input.changed(by: $0) }
        return (input, secrets)
    }

    /// One pass hides the values and collects them, so that no value is hidden in one place alone.
    private func hidden<Message>(_ changed: (ExchangeChange) -> Message) -> (Message, Set<String>) {
        let redaction = redaction.keepingKinds
        var redactor = Redactor(redaction, isCollecting: true)
        let message = changed(
            ExchangeChange(
                url: { redactor.url($0) },
                field: { redactor.field($0.name, $0.value) },
                payload: { payload in
                    if payload.isCoded, !redaction.hidesNothing { return Data(Redaction.placeholder.utf8) }
                    return Data(redactor.payload(Array(payload.data)[...], mediaType: payload.mediaType))
                },
                word: { redactor.text($0) },
                name: { name in
                    if RFC9110.isToken(name) { return name }
                    return redaction.hides(name) ? Redaction.placeholder : redactor.text(name)
                }
            )
        )
        return (message, Self.kept(redactor.found.flatMap(\.secrets)))
    }

    /// Those that are long enough not to occur by chance, and are not replaced already.
    private static func kept(_ texts: [String]) -> Set<String> {
        Set(
            texts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
                .filter { $0.utf8.count >= shortestSecret && !Redaction.placeholder.utf8.contains($0.utf8) }
                .filter { !$0.hasPrefix(Redaction.placeholder.dropLast()) }
        )
    }
}

extension HiddenValue {
    /// What is to be looked for elsewhere.
    fileprivate var secrets: [String] {
        switch self {
        case .value(let bytes): [HTTP1Lines.text(bytes)]
        case .userInfo(let bytes): BasicCredentials(bytes).secrets
        case .field(let name, let value): HTTPHeaders.Field(name: name, value: value).secrets
        }
    }
}
