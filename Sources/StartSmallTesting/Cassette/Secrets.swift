import Foundation
import StartSmall

extension CassetteRedaction {
    /// Returns an exchange without the values of sensitive names, and these values.
    func hidden(_ exchange: Exchange, _ numbers: NumberedSecrets) -> (exchange: Exchange, secrets: [String: Int]) {
        let (exchange, secrets) = hidden(numbers) { exchange.changed(by: $0) }
        return (exchange, secrets)
    }

    /// Returns a request without the values of sensitive names, and these values.
    func hidden(_ input: Input, _ numbers: NumberedSecrets) -> (input: Input, secrets: [String: Int]) {
        let (input, secrets) = hidden(numbers) { input.changed(by: $0) }
        return (input, secrets)
    }

    /// Hides and collects values in one pass, so that no value is hidden in one place only.
    private func hidden<Message>(
        _ numbers: NumberedSecrets,
        _ changed: (ExchangeChange) -> Message
    ) -> (Message, [String: Int]) {
        let redaction = redaction.keepingKinds
        // Most values occur in a message more than once.
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

    /// Returns texts that are too long to occur by chance, and not replaced already, each with its number.
    ///
    /// A text with very many combining marks in a row is left out: looking it up would take long.
    private static func kept(_ found: [HiddenValue], _ numbers: NumberedSecrets) -> [String: Int] {
        var kept: [String: Int] = [:]
        for value in Set(found) {
            for (text, number) in value.secrets(numbers) {
                let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
                guard let number, isLong(text), !CombiningMarks.hasLongRun(text), !isReplaced(text, numbers),
                    kept[text] == nil
                else { continue }
                kept[text] = number
            }
        }
        return kept
    }

    /// Returns whether a text is too long to occur by chance, and does not occur in each placeholder.
    private static func isLong(_ text: String) -> Bool {
        let count = text.utf8.count
        if count < shortestSecret { return false }
        return count > Redaction.placeholder.utf8.count || !Redaction.placeholder.utf8.contains(text.utf8)
    }

    /// Returns whether a part of a text is already replaced.
    private static func isReplaced(_ text: String, _ numbers: NumberedSecrets) -> Bool {
        // A search for one byte is faster than a search for a text, and hardly any secret contains this byte.
        let mayBeReplaced = text.utf8.contains(UInt8(ascii: "<"))
        guard mayBeReplaced, text.utf8.contains(Placeholder.beginning.utf8) else { return false }
        return Placeholder(Array(text.utf8)[...]).map(numbers.isOwn) ?? true
    }
}
