import Foundation
import StartSmall

/// The found secrets with their numbers, and with their forms in non-text bytes, which are computed once.
struct KnownSecrets {
    private struct Secret {
        var number: Int

        /// The bytes of the secret in each encoding; nil until non-text bytes are searched.
        var forms: [[UInt8]]?
    }

    private var secrets: [String: Secret] = [:]

    /// The indexes for searches in texts, and in non-text bytes.
    private var inText = SecretIndex()
    private var inBytes = SecretIndex()

    /// The secrets that are not in the indexes yet.
    private var newInText: [String] = []
    private var newInBytes: [String] = []

    init(_ numbers: [String: Int] = [:]) { add(numbers) }

    /// Adds secrets, and returns the new ones.
    @discardableResult
    mutating func add(_ numbers: [String: Int]) -> [String: Int] {
        let new = numbers.filter { secrets[$0.key] == nil }
        for (text, number) in new {
            secrets[text] = Secret(number: number)
            newInText.append(text)
            newInBytes.append(text)
        }
        return new
    }

    var isEmpty: Bool { secrets.isEmpty }

    /// Returns the secrets that may occur in some texts and bytes, with their numbers.
    mutating func among(_ content: @autoclosure () -> TextContent) -> [String: Int] {
        if secrets.isEmpty { return [:] }
        let content = content()
        for text in newInText { inText.add(Array(text.utf8)) }
        newInText = []
        let foundInText = inText.found(in: content.texts)
        if content.bytes.isEmpty { return among(text: { foundInText.mayHold($0) }, bytes: nil) }
        writeForms()
        let foundInBytes = inBytes.found(in: content.bytes)
        return among(text: { foundInText.mayHold($0) }, bytes: { foundInBytes.mayHold($0) })
    }

    /// Returns the secrets that may occur in the content of a filter, with their numbers.
    mutating func among(_ filter: ContentFilter) -> [String: Int] {
        if !filter.hasBytes { return among(text: { filter.mayHold($0) }, bytes: nil) }
        writeForms()
        return among(text: { filter.mayHold($0) }, bytes: { filter.mayHold($0) })
    }

    /// Returns the secrets whose text, or one of whose forms in bytes, satisfies the condition.
    private func among(text mayHold: ([UInt8]) -> Bool, bytes mayHoldBytes: (([UInt8]) -> Bool)?) -> [String: Int] {
        let present = secrets.filter { text, secret in
            mayHold(Array(text.utf8)) || mayHoldBytes.map { secret.forms?.contains(where: $0) == true } == true
        }
        return present.mapValues(\.number)
    }

    private mutating func writeForms() {
        for text in newInBytes {
            let forms = text.encodedForms
            for form in forms { inBytes.add(form) }
            secrets[text]?.forms = forms
        }
        newInBytes = []
    }
}

extension String {
    /// The bytes of the text in each encoding of payloads, without duplicates.
    var encodedForms: [[UInt8]] {
        Array(Set(Charset.encodings.compactMap { Charset.data(self, in: $0).map { Array($0) } }))
    }
}
