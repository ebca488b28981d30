import Foundation
import StartSmall

/// Secrets that were found, and how each stands in bytes that are no text: to be found out once.
struct KnownSecrets {
    /// By the secret: its bytes in each encoding.
    private var forms: [String: [[UInt8]]]

    init(_ secrets: Set<String> = []) {
        forms = Dictionary(uniqueKeysWithValues: secrets.map { ($0, $0.encodedForms) })
    }

    /// Adds secrets, and gives those that were not known.
    mutating func add(_ secrets: Set<String>) -> KnownSecrets {
        let new = KnownSecrets(secrets.filter { forms[$0] == nil })
        forms.merge(new.forms) { known, _ in known }
        return new
    }

    var isEmpty: Bool { forms.isEmpty }

    /// Those of which a text, or one of the forms in bytes, passes.
    func among(text mayHold: (String.UTF8View) -> Bool, bytes mayHoldBytes: (([UInt8]) -> Bool)?) -> Set<String> {
        let present = forms.filter { secret, forms in
            mayHold(secret.utf8) || mayHoldBytes.map { forms.contains(where: $0) } == true
        }
        return Set(present.keys)
    }
}

extension String {
    /// Its bytes in each encoding in which a payload may be, each once.
    var encodedForms: [[UInt8]] {
        Array(Set(Charset.encodings.compactMap { Charset.data(self, in: $0).map { Array($0) } }))
    }
}
