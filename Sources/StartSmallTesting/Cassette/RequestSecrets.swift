import Foundation
import StartSmall

/// The placeholders of a request, in each of its parts.
struct RequestSecrets {
    /// A part in which the same secrets stand in the same order.
    private enum Part: Hashable {
        case method
        case url
        case payload

        /// A header field of a name in small letters, and how many of that name stand before it.
        case field(String, Int)
    }

    /// In an order of their own, so that the same request is always compared in the same way.
    private var parts: [(part: Part, secrets: [Placeholder])] = []

    /// Whether no secret is in it.
    var isEmpty: Bool { parts.isEmpty }

    init(of input: Input) {
        add(Array(input.methodAndPayload.method.utf8).placeholders.map(\.placeholder), .method)
        add(Self.secrets(of: input.url), .url)
        for (part, field) in Self.fields(of: input) {
            add(Array(field.value.utf8).placeholders.map(\.placeholder), part)
        }
        guard input.methodAndPayload.payload != nil else { return }
        var payload: [Placeholder] = []
        _ = input.recordedPayload.replacingPlaceholders { placeholder in
            payload.append(placeholder)
            return placeholder
        }
        add(payload, .payload)
    }

    private mutating func add(_ secrets: [Placeholder], _ part: Part) {
        if !secrets.isEmpty { parts.append((part, secrets)) }
    }

    private func placeholders(in part: Part) -> [Placeholder]? { parts.first { $0.part == part }?.secrets }

    /// Those in front of the query, and those of its items by name: their order does not count.
    private static func secrets(of url: URL) -> [Placeholder] {
        let text = url.absoluteString.showingPlaceholder
        guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let items = (parts.dropFirst().first ?? "").split(separator: "&").map { item in
            (plain: String(item).replacingPlaceholders { _ in Placeholder(nil) }, item: String(item))
        }
        let texts = [String(parts.first ?? "")] + items.sorted { $0.plain.isBefore($1.plain) }.map(\.item)
        return texts.flatMap { Array($0.utf8).placeholders.map(\.placeholder) }
    }

    private static func fields(of input: Input) -> [(part: Part, field: HTTPHeaders.Field)] {
        var counts: [String: Int] = [:]
        return input.headers.fields.map { field in
            let name = field.name.lowercased()
            counts[name, default: 0] += 1
            return (.field(name, counts[name, default: 1] - 1), field)
        }
    }

    // MARK: - Comparing

    /// What the secrets of a request have to be for it to be the one that was recorded.
    struct Binding {
        /// The number in the file of each secret of this process that has none yet.
        var numbers: [Int: Int] = [:]

        /// Whether each secret is, or may be, the one that was recorded.
        var isConsistent = true
    }

    /// Compares the secrets of a request that is asked for with these, which were recorded.
    ///
    /// The first secret in a place that is not known yet is bound to the number there, if that is free. A payload binds only
    /// one secret: two may stand in another order.
    func binding(of asked: RequestSecrets, _ secrets: NumberedSecrets) -> Binding {
        var binding = Binding()
        for (part, recorded) in parts where recorded.contains(where: { $0.number != nil }) {
            guard let asked = asked.placeholders(in: part), asked.count == recorded.count else {
                binding.isConsistent = false
                continue
            }
            let isLearned = part != .payload || recorded.count == 1
            for (asked, recorded) in zip(asked, recorded) {
                if !Self.fits(asked, recorded, &binding, secrets, isLearned) { binding.isConsistent = false }
            }
        }
        return binding
    }

    private static func fits(
        _ asked: Placeholder,
        _ recorded: Placeholder,
        _ binding: inout Binding,
        _ secrets: NumberedSecrets,
        _ isLearned: Bool
    ) -> Bool {
        guard let number = recorded.number, let secret = secrets.resolved(asked).number else { return true }
        if secret == number { return true }
        if let known = binding.numbers[secret] { return known == number }
        guard secrets.canBind(secret, number), !binding.numbers.values.contains(number) else { return false }
        if isLearned { binding.numbers[secret] = number }
        return true
    }

    /// A request as it is shown to a rule: with the numbers that its secrets have in the file, and with a placeholder without
    /// a number for any other secret.
    func aligned(_ asked: Input, _ binding: Binding, _ secrets: NumberedSecrets) -> Input {
        let shown = { (placeholder: Placeholder) in
            let resolved = secrets.resolved(placeholder)
            guard let secret = resolved.number, secret >= NumberedSecrets.firstOfProcess else { return resolved }
            return secrets.isOwn(resolved) ? Placeholder(binding.numbers[secret]) : resolved
        }
        var input = asked.replacingPlaceholders(shown)
        var fields = input.headers.fields
        for (index, (part, field)) in Self.fields(of: asked).enumerated() {
            var open = (placeholders(in: part) ?? [])[...]
            guard open.count == Array(field.value.utf8).placeholders.count else { continue }
            fields[index].value = field.value.replacingPlaceholders { placeholder in
                let recorded = open.popFirst()
                // Without a number, nobody says which secret it is.
                return placeholder.number == nil || recorded?.number == nil
                    ? recorded ?? placeholder : shown(placeholder)
            }
        }
        input.headers = HTTPHeaders(fields)
        return input
    }

    /// The names of header fields in which another secret stands than was recorded.
    func fieldsWithOthers(than asked: RequestSecrets, _ secrets: NumberedSecrets) -> [String] {
        parts.compactMap { part, recorded in
            guard case .field(let name, _) = part, let asked = asked.placeholders(in: part) else { return nil }
            var binding = Binding()
            let fits = zip(asked, recorded).allSatisfy { Self.fits($0, $1, &binding, secrets, true) }
            return fits && asked.count == recorded.count ? nil : name
        }.sorted()
    }
}
