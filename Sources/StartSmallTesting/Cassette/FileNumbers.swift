import StartSmall

/// The numbers of secrets in a file: in the order in which they stand there first, from 1 on.
///
/// So a conversation that is recorded again has the numbers that it had, whichever call ended first.
struct FileNumbers {
    private let secrets: NumberedSecrets
    private var numbers: [Int: Int] = [:]

    init(_ secrets: NumberedSecrets) { self.secrets = secrets }

    /// The placeholder as it stands in the file.
    mutating func placeholder(_ placeholder: Placeholder) -> Placeholder {
        guard secrets.isOwn(placeholder), let secret = secrets.resolved(placeholder).number else { return placeholder }
        let number = numbers[secret] ?? numbers.count + 1
        numbers[secret] = number
        return Placeholder(number)
    }

    /// An exchange as it stands in the file.
    mutating func exchange(_ exchange: Exchange) -> Exchange {
        exchange.replacingPlaceholders { placeholder($0) }
    }
}
