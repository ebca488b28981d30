import Foundation
import StartSmall

/// Secrets that were found, each with its number, and how each stands in bytes that are no text: to be found out once.
struct KnownSecrets {
    private struct Secret {
        var number: Int

        /// Its bytes in each encoding; nil until bytes that are no text are looked into.
        var forms: [[UInt8]]?
    }

    private var secrets: [String: Secret] = [:]

    /// Where they are looked for in a text, and in bytes that are no text.
    private var inText = SecretIndex()
    private var inBytes = SecretIndex()

    /// Those that no text, and no bytes, were looked into for.
    private var newInText: [String] = []
    private var newInBytes: [String] = []

    init(_ numbers: [String: Int] = [:]) { add(numbers) }

    /// Adds secrets, and gives those that were not known.
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

    /// Those that may stand in some texts and bytes, with their numbers.
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

    /// Those that may stand where a sketch was made, with their numbers.
    mutating func among(_ sketch: BloomFilter) -> [String: Int] {
        if !sketch.hasBytes { return among(text: { sketch.mayHold($0) }, bytes: nil) }
        writeForms()
        return among(text: { sketch.mayHold($0) }, bytes: { sketch.mayHold($0) })
    }

    /// Those of which a text, or one of the forms in bytes, passes.
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
    /// Its bytes in each encoding in which a payload may be, each once.
    var encodedForms: [[UInt8]] {
        Array(Set(Charset.encodings.compactMap { Charset.data(self, in: $0).map { Array($0) } }))
    }
}
