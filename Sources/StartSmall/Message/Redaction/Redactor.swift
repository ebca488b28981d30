/// A pass of a redaction over a message: it replaces the secret values, and collects them on request.
///
/// One reader both replaces and collects, so that no value is replaced without being collected.
package struct Redactor {
    package let redaction: Redaction

    /// The values that were replaced, in decoded form; some in several readings.
    package private(set) var found: [HiddenValue] = []

    /// The function that returns the number of the secret that a value is; nil if secrets are not distinguished.
    ///
    /// The function returns nil for a value that is already replaced without a number.
    var numbering: ((HiddenValue) -> Int?)?

    let isCollecting: Bool

    /// The collected values, and values of items, that contain no other ones; most occur in a message many times.
    private var plainValues: Set<ByteString> = []
    private var plainItems: Set<ByteString> = []

    /// The sensitivities of the names that are not harmless; most of these names occur in a message many times.
    private var knownSensitivities: [ByteString: NameSensitivity] = [:]
    private var depth = 0

    /// The number of bytes that may still be decoded to be read again.
    private var budget = 0

    /// Creates a pass of a redaction.
    ///
    /// - Parameters:
    ///   - redaction: the rules.
    ///   - isCollecting: whether the values that are replaced are kept in ``found``.
    ///   - numbering: returns the number of the secret that a value is; nil to write no numbers.
    package init(_ redaction: Redaction, isCollecting: Bool = false, numbering: ((HiddenValue) -> Int?)? = nil) {
        (self.redaction, self.isCollecting, self.numbering) = (redaction, isCollecting, numbering)
    }

    /// The maximum number of encodings within each other that are read, such as JSON in a query item of a URL in JSON.
    ///
    /// Logs of APIs have three or four. A deeper text is replaced as a whole if it may contain a secret name.
    package static let deepestReading = 8

    /// The number of bytes to decode for each byte of a message, and the minimum for any message.
    ///
    /// The limit makes hostile nesting take linear time.
    private static let mostDecodingsPerByte = 3
    private static let leastBudget = 64 * 1024

    /// The result of reading a decoded text.
    enum Reading {
        case unchanged
        case changed([UInt8])

        /// The text is nested too deeply to be read, and may contain a secret.
        case unread
    }

    /// Grants the budget of a whole message.
    ///
    /// - Parameter count: the length of the message in bytes.
    mutating func begin(_ count: Int) {
        if depth == 0 { budget = max(budget, Self.leastBudget, count * Self.mostDecodingsPerByte) }
    }

    /// Reads a text that was decoded from another text.
    mutating func nested(_ text: ArraySlice<UInt8>) -> Reading {
        guard depth < Self.deepestReading, budget >= text.count else {
            return redaction.mayHoldSecret(text) ? .unread : .unchanged
        }
        guard !redaction.hidesNothing, redaction.mayReveal(in: text) else { return .unchanged }
        depth += 1
        budget -= text.count
        let hidden = revealing(Array(text))
        depth -= 1
        return hidden[...] == text ? .unchanged : .changed(hidden)
    }

    /// Reads a message inside of another message; returns nil if it is nested too deeply.
    mutating func within<Value>(_ read: (inout Redactor) -> Value) -> Value? {
        guard depth < Self.deepestReading else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    /// Collects a value that was replaced, and the values with secret names inside of it.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - whole: the value of which `value` is a reading; nil if `value` is no reading of another.
    mutating func collect(_ value: ArraySlice<UInt8>, of whole: ArraySlice<UInt8>? = nil) {
        guard isCollecting, !value.isEmpty else { return }
        let tells = value.contains(where: Redaction.mayReveal)
        if whole == nil, !tells, !plainValues.insert(ByteString(Array(value))).inserted { return }
        found.append(whole.map { .reading(Array(value), of: Array($0)) } ?? .value(Array(value)))
        if tells { _ = nested(value) }
    }

    /// Collects a value in each of its possible readings.
    ///
    /// The readings are with and without escapes of a URL or form, and without the punctuation after the value.
    mutating func collect(readingsOf value: ArraySlice<UInt8>) {
        guard isCollecting, !value.isEmpty else { return }
        let isPlain = !value.contains(where: Redaction.mayReveal)
        if isPlain, !plainItems.insert(ByteString(Array(value))).inserted { return }
        var readings = [value]
        func add(_ reading: ArraySlice<UInt8>) {
            if !readings.contains(reading) { readings.append(reading) }
        }
        add(Self.withoutPunctuation(value))
        add(Self.withoutPunctuation(value.prefix { !Self.mayEndValue($0) }))
        if let start = value.firstIndex(where: { !Self.isQuoteOrBlank($0) }), start > value.startIndex {
            add(Self.withoutPunctuation(value[start...].prefix { !Self.mayEndValue($0) }))
        }
        for reading in readings {
            collect(URIEncoding.decoded(reading), of: value)
            if reading.contains(UInt8(ascii: "+")) { collect(URIEncoding.decodedForm(reading), of: value) }
            if reading.contains(URIEncoding.percent) { found.append(.reading(Array(reading), of: Array(value))) }
        }
    }

    /// Returns the sensitivity of a value with this name.
    mutating func decision(on name: ArraySlice<UInt8>) -> NameSensitivity {
        // Without sparing, classifying a name takes less time than finding its stored sensitivity.
        if !redaction.isSparing { return redaction.decision(on: name) }
        if redaction.isHarmless(name) { return .shown }
        let key = ByteString(Array(name))
        if let known = knownSensitivities[key] { return known }
        let decision = redaction.decision(on: name)
        knownSensitivities[key] = decision
        return decision
    }

    /// Returns the sensitivity of a name in a text or in JSON, where an ordinary word rarely names a credential.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - isSparing: whether a value of an ordinary name is hidden only if it looks like a secret.
    mutating func decision(on name: ArraySlice<UInt8>, isSparing: Bool) -> NameSensitivity {
        let decision = decision(on: name)
        if decision == .shown || !isSparing || redaction.isSparing { return decision }
        let sparing = redaction.sparing.decision(on: name)
        return sparing == .hiddenIfOdd ? sparing : decision
    }

    mutating func collect(userInfo: ArraySlice<UInt8>) {
        if isCollecting { found.append(.userInfo(Array(URIEncoding.decoded(userInfo)))) }
    }

    private static func withoutPunctuation(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var value = value
        while let last = value.last, ".,;:!?)]}>'\"\\ \t".utf8.contains(last) { value.removeLast() }
        return value
    }

    private static func mayEndValue(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || ",;?)]}\"<>".utf8.contains(byte)
    }

    private static func isQuoteOrBlank(_ byte: UInt8) -> Bool { "\"'` \t\\<>".utf8.contains(byte) }

    // MARK: -

    /// Reads JSON, or a text that may contain JSON; see ``JSONRedactor``.
    ///
    /// - Parameters:
    ///   - text: the text in UTF-8.
    ///   - folding: whether white space between values becomes one space.
    package mutating func json(_ text: ArraySlice<UInt8>, folding: Bool = false) -> [UInt8] {
        begin(text.count)
        return JSONRedactor.hide(text, folding: folding, by: &self) { $0.passAll() }
    }

    /// Reads a payload that is JSON, or claims to be.
    ///
    /// - Returns: The redacted text, and whether all of it may be JSON.
    mutating func payloadJSON(_ text: ArraySlice<UInt8>, folding: Bool) -> (text: [UInt8], isJSON: Bool) {
        begin(text.count)
        var isJSON = true
        let hidden = JSONRedactor.hide(text, folding: folding, by: &self) { pass in
            pass.passAll()
            isJSON = !pass.hasOtherThanJSON
        }
        return (hidden, isJSON)
    }

    /// Reads each line of a text separately, for the JSON inside of it.
    mutating func jsonInLines(of text: [UInt8]) -> [UInt8] {
        begin(text.count)
        return JSONRedactor.hide(text[...], folding: false, by: &self) { $0.passLineByLine() }
    }

    /// Reads a text of any kind: the JSON, URLs, parameters and XML inside of it.
    package mutating func text(_ text: [UInt8]) -> [UInt8] {
        guard !redaction.hidesNothing, redaction.mayReveal(in: text) else { return text }
        return revealing(text)
    }

    /// Reads a text that contains a byte that may indicate a secret.
    private mutating func revealing(_ text: [UInt8]) -> [UInt8] {
        begin(text.count)
        let text = text.contains(UInt8(ascii: "\"")) ? json(text[...]) : text
        return forms(in: items(of: userInfo(of: text), isURL: false))
    }

    /// Reads a URL, or a text in place of one; values extend to the next `?`, `#`, `&` or `;`.
    package mutating func url(_ text: [UInt8]) -> [UInt8] {
        guard !redaction.hidesNothing, redaction.mayReveal(in: text) else { return text }
        begin(text.count)
        let front = text[..<(Redaction.slashes(in: text[...]) ?? text.endIndex)]
        let hasUser = redaction.hidesUserInfo && front.first != UInt8(ascii: "/")
        if hasUser, let at = front.lastIndex(of: UInt8(ascii: "@")), front[..<at].contains(UInt8(ascii: ":")) {
            collect(userInfo: text[..<at])
            return placeholder(for: .userInfo(Array(text[..<at]))) + urlWithoutUser(Array(text[at...]))
        }
        return urlWithoutUser(text)
    }

    private mutating func urlWithoutUser(_ text: [UInt8]) -> [UInt8] {
        let text = userInfo(of: text)
        return forms(in: items(of: text.contains(UInt8(ascii: "\"")) ? json(text[...]) : text, isURL: true))
    }

    /// Reads a header field and returns its redacted value.
    package mutating func field(_ name: String, _ value: String) -> String {
        guard redaction.decision(on: name).hides(value.utf8) else { return text(value) }
        begin(value.utf8.count)
        if isCollecting {
            found.append(.field(name: name, value: value))
            if value.utf8.contains(where: Redaction.mayReveal) { _ = nested(Array(value.utf8)[...]) }
        }
        return String(decoding: placeholder(for: .field(name: name, value: value)), as: UTF8.self)
    }

    /// Reads a text of any kind.
    package mutating func text(_ text: String) -> String {
        guard !redaction.hidesNothing, redaction.mayReveal(in: text.utf8) else { return text }
        return String(decoding: self.text(Array(text.utf8)), as: UTF8.self)
    }

    /// Reads a URL.
    package mutating func url(_ text: String) -> String {
        guard !redaction.hidesNothing, redaction.mayReveal(in: text.utf8) else { return text }
        return String(decoding: url(Array(text.utf8)), as: UTF8.self)
    }
}

extension Redaction {
    /// Returns whether a text that is not read may contain a secret name, or something that is encoded once more.
    fileprivate func mayHoldSecret(_ text: ArraySlice<UInt8>) -> Bool {
        if text.contains(where: { $0 == URIEncoding.percent || $0 == UInt8(ascii: "\\") }) { return true }
        return isSuspect(text) || hidesKnownForms && SecretForm.mayOccur(in: text)
    }
}
