import StartSmall

/// The numbers of secrets in a file, in the order of their first occurrence, from 1.
///
/// A repeated recording of the same calls therefore has the same numbers, regardless of the order in which the calls
/// end.
struct FileNumbers {
    private let secrets: NumberedSecrets
    private var numbers: [Int: Int] = [:]

    init(_ secrets: NumberedSecrets) { self.secrets = secrets }

    /// Returns the placeholder for the file.
    mutating func placeholder(_ placeholder: Placeholder) -> Placeholder {
        guard secrets.isOwn(placeholder), let secret = secrets.resolved(placeholder).number else { return placeholder }
        let number = numbers[secret] ?? numbers.count + 1
        numbers[secret] = number
        return Placeholder(number)
    }

    /// Returns the exchange for the file.
    mutating func exchange(_ exchange: Exchange) -> Exchange {
        exchange.replacingPlaceholders { placeholder($0) }
    }
}
