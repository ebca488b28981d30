import Foundation
import StartSmall

/// Secrets that were found, each with its number, and how each stands in bytes that are no text: to be found out once.
struct KnownSecrets {
    private struct Secret {
        var number: Int

        /// Its bytes in each encoding.
        var forms: [[UInt8]]
    }

    private var secrets: [String: Secret]

    init(_ numbers: [String: Int] = [:]) {
        secrets = numbers.reduce(into: [:]) { $0[$1.key] = Secret(number: $1.value, forms: $1.key.encodedForms) }
    }

    /// Adds secrets, and gives those that were not known.
    mutating func add(_ numbers: [String: Int]) -> KnownSecrets {
        let new = KnownSecrets(numbers.filter { secrets[$0.key] == nil })
        secrets.merge(new.secrets) { known, _ in known }
        return new
    }

    var isEmpty: Bool { secrets.isEmpty }

    /// Those of which a text, or one of the forms in bytes, passes, with their numbers.
    func among(text mayHold: (String.UTF8View) -> Bool, bytes mayHoldBytes: (([UInt8]) -> Bool)?) -> [String: Int] {
        let present = secrets.filter { text, secret in
            mayHold(text.utf8) || mayHoldBytes.map { secret.forms.contains(where: $0) } == true
        }
        return present.mapValues(\.number)
    }
}

extension String {
    /// Its bytes in each encoding in which a payload may be, each once.
    var encodedForms: [[UInt8]] {
        Array(Set(Charset.encodings.compactMap { Charset.data(self, in: $0).map { Array($0) } }))
    }
}
