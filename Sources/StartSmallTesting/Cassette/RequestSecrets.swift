import Foundation
import StartSmall

/// The placeholders in each part of a request.
struct RequestSecrets {
    /// A part with a defined order of secrets.
    private enum Part: Hashable {
        case method
        case url
        case payload

        /// A header field by its lowercase name, and the number of earlier fields with the same name.
        case field(String, Int)
    }

    /// The parts with their secrets in a fixed order, so that equal requests are always compared in the same way.
    private var parts: [(part: Part, secrets: [Placeholder])] = []

    /// Whether the request contains no secrets.
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

    /// Returns the secrets before the query, and those of its items sorted by name, since their order does not count.
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

    /// The binding of a request's secrets to those of a recorded request.
    struct Binding {
        /// The number in the file for each secret of this process that has none yet.
        var numbers: [Int: Int] = [:]

        /// Whether each secret is, or may be, the recorded one.
        var isConsistent = true
    }

    /// Compares the secrets of a new request with these recorded ones.
    ///
    /// The first unknown secret in a position is bound to the number there, if that number is free. A payload binds a
    /// single secret only, since several secrets may have another order.
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

    /// Returns the form of a request that a rule compares.
    ///
    /// Secrets have their numbers from the file, and any other secret has a placeholder without a number.
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
                // Without a number, the identity of the secret is unknown.
                return placeholder.number == nil || recorded?.number == nil
                    ? recorded ?? placeholder : shown(placeholder)
            }
        }
        input.headers = HTTPHeaders(fields)
        return input
    }

    /// Returns the names of header fields that contain other secrets than the recorded ones.
    func fieldsWithOthers(than asked: RequestSecrets, _ secrets: NumberedSecrets) -> [String] {
        parts.compactMap { part, recorded in
            guard case .field(let name, _) = part, let asked = asked.placeholders(in: part) else { return nil }
            var binding = Binding()
            let fits = zip(asked, recorded).allSatisfy { Self.fits($0, $1, &binding, secrets, true) }
            return fits && asked.count == recorded.count ? nil : name
        }.sorted()
    }
}
