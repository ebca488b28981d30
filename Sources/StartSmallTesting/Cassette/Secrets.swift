import Foundation
import StartSmall

extension CassetteRedaction {
    /// An exchange without the values whose names tell that they are secret, and these values.
    func hidden(_ exchange: Exchange, _ numbers: NumberedSecrets) -> (exchange: Exchange, secrets: [String: Int]) {
        let (exchange, secrets) = hidden(numbers) { exchange.changed(by: $0) }
        return (exchange, secrets)
    }

    /// A request without the values whose names tell that they are secret, and these values.
    func hidden(_ input: Input, _ numbers: NumberedSecrets) -> (input: Input, secrets: [String: Int]) {
        let (input, secrets) = hidden(numbers) { input.changed(by: $0) }
        return (input, secrets)
    }

    /// One pass hides the values and collects them, so that no value is hidden in one place alone.
    private func hidden<Message>(
        _ numbers: NumberedSecrets,
        _ changed: (ExchangeChange) -> Message
    ) -> (Message, [String: Int]) {
        let redaction = redaction.keepingKinds
        // Most values stand in a message more than once.
        var known: [HiddenValue: Int?] = [:]
        var redactor = Redactor(redaction, isCollecting: true) { value in
            if let number = known[value] { return number }
            let number = numbers.number(value)
            known[value] = number
            return number
        }
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
                    if HTTPToken.isToken(name) { return name }
                    return redaction.hides(name) ? Redaction.placeholder : redactor.text(name)
                }
            )
        )
        return (message, Self.kept(redactor.found, numbers))
    }

    /// The texts that are long enough not to occur by chance, and are not replaced already, each with its number.
    private static func kept(_ found: [HiddenValue], _ numbers: NumberedSecrets) -> [String: Int] {
        var kept: [String: Int] = [:]
        for value in Set(found) {
            for (text, number) in value.secrets(numbers) {
                let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
                guard let number, isLong(text), !isReplaced(text, numbers), kept[text] == nil else { continue }
                kept[text] = number
            }
        }
        return kept
    }

    /// Whether a text does not occur by chance, nor in each placeholder.
    private static func isLong(_ text: String) -> Bool {
        let count = text.utf8.count
        if count < shortestSecret { return false }
        return count > Redaction.placeholder.utf8.count || !Redaction.placeholder.utf8.contains(text.utf8)
    }

    /// Whether something in a text is replaced already.
    private static func isReplaced(_ text: String, _ numbers: NumberedSecrets) -> Bool {
        // A byte is found sooner than a text, and hardly any secret has this one.
        let mayBeReplaced = text.utf8.contains(UInt8(ascii: "<"))
        guard mayBeReplaced, text.utf8.contains(Placeholder.beginning.utf8) else { return false }
        return Placeholder(Array(text.utf8)[...]).map(numbers.isOwn) ?? true
    }
}
