/// One pass of a redaction over a message: replaces the secret values, and collects them if asked to.
///
/// The same reader replaces and collects, so that no value is replaced without being collected.
package struct Redactor {
    package let redaction: Redaction

    /// The values that were replaced, as they are meant; some in several readings.
    package private(set) var found: [HiddenValue] = []

    /// The number of the secret that a value is; without it, nothing tells one secret from another.
    ///
    /// It gives nil for what is replaced without a number already.
    var numbering: ((HiddenValue) -> Int?)?

    let isCollecting: Bool

    /// The values, and the values of items, that were collected and hold no other ones: most stand in a message many times.
    private var plainValues: Set<ByteString> = []
    private var plainItems: Set<ByteString> = []

    /// What names tell that are no harmless ones, most of which stand in a message many times.
    private var verdicts: [ByteString: NameSensitivity] = [:]
    private var depth = 0

    /// How many more bytes may be decoded to be read once more.
    private var budget = 0

    /// Creates a pass of a redaction.
    ///
    /// - Parameters:
    ///   - isCollecting: whether the values that are replaced are kept in ``found``.
    ///   - numbering: the number of the secret that a value is; nil if none is written.
    package init(_ redaction: Redaction, isCollecting: Bool = false, numbering: ((HiddenValue) -> Int?)? = nil) {
        (self.redaction, self.isCollecting, self.numbering) = (redaction, isCollecting, numbering)
    }

    /// How many encodings within each other are read, such as JSON in a query item of a URL in JSON.
    ///
    /// Logs of APIs have three or four. What is deeper is replaced as a whole if a secret name may be in it.
    package static let deepestReading = 8

    /// How many bytes are decoded for each byte of a message, and in any case: so hostile nesting takes linear time.
    private static let mostDecodingsPerByte = 3
    private static let leastBudget = 64 * 1024

    /// The result of reading a decoded text.
    enum Reading {
        case unchanged
        case changed([UInt8])

        /// The text is nested too deeply to be read, and may hold a secret.
        case unread
    }

    /// Grants the budget of a whole message.
    mutating func begin(_ count: Int) {
        if depth == 0 { budget = max(budget, Self.leastBudget, count * Self.mostDecodingsPerByte) }
    }

    /// Reads a text that was decoded from another one.
    mutating func nested(_ text: ArraySlice<UInt8>) -> Reading {
        guard depth < Self.deepestReading, budget >= text.count else {
            return redaction.mayHoldSecret(text) ? .unread : .unchanged
        }
        guard !redaction.hidesNothing, text.contains(where: Redaction.mayTell) else { return .unchanged }
        depth += 1
        budget -= text.count
        let hidden = telling(Array(text))
        depth -= 1
        return hidden[...] == text ? .unchanged : .changed(hidden)
    }

    /// Reads a message within another one; nil if it is nested too deeply.
    mutating func within<Value>(_ read: (inout Redactor) -> Value) -> Value? {
        guard depth < Self.deepestReading else { return nil }
        depth += 1
        defer { depth -= 1 }
        return read(&self)
    }

    /// Collects a value that was replaced, and the values with secret names in it.
    ///
    /// - Parameter whole: the value of which this is a reading; nil if it is the value itself.
    mutating func collect(_ value: ArraySlice<UInt8>, of whole: ArraySlice<UInt8>? = nil) {
        guard isCollecting, !value.isEmpty else { return }
        let tells = value.contains(where: Redaction.mayTell)
        if whole == nil, !tells, !plainValues.insert(ByteString(Array(value))).inserted { return }
        found.append(whole.map { .reading(Array(value), of: Array($0)) } ?? .value(Array(value)))
        if tells { _ = nested(value) }
    }

    /// Collects a value in each way in which it may be meant: with and without its escapes of a URL or form, and without
    /// the punctuation behind it.
    mutating func collect(readingsOf value: ArraySlice<UInt8>) {
        guard isCollecting, !value.isEmpty else { return }
        let isPlain = !value.contains(where: Redaction.mayTell)
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

    /// What a name tells of its value.
    mutating func decision(on name: ArraySlice<UInt8>) -> NameSensitivity {
        // Without sparing, a name is looked at sooner than found among others.
        if !redaction.isSparing { return redaction.decision(on: name) }
        if redaction.isHarmless(name) { return .shown }
        let key = ByteString(Array(name))
        if let known = verdicts[key] { return known }
        let decision = redaction.decision(on: name)
        verdicts[key] = decision
        return decision
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

    /// Reads JSON, or a text that may hold some; see ``JSONRedactor``.
    package mutating func json(_ text: ArraySlice<UInt8>, folding: Bool = false) -> [UInt8] {
        begin(text.count)
        return JSONRedactor.hide(text, folding: folding, by: &self) { $0.passAll() }
    }

    /// Reads each line of a text as if there were no other, for JSON in it.
    mutating func jsonInLines(of text: [UInt8]) -> [UInt8] {
        begin(text.count)
        return JSONRedactor.hide(text[...], folding: false, by: &self) { $0.passLineByLine() }
    }

    /// Reads a text of any kind: JSON, URLs, parameters and XML in it.
    package mutating func text(_ text: [UInt8]) -> [UInt8] {
        guard !redaction.hidesNothing, text.contains(where: Redaction.mayTell) else { return text }
        return telling(text)
    }

    /// Reads a text with a byte by which it may tell a secret.
    private mutating func telling(_ text: [UInt8]) -> [UInt8] {
        begin(text.count)
        let text = text.contains(UInt8(ascii: "\"")) ? json(text[...]) : text
        return items(of: userInfo(of: text), isURL: false)
    }

    /// Reads a URL, or what stands in the place of one; values go up to the next `?`, `#`, `&` or `;`.
    package mutating func url(_ text: [UInt8]) -> [UInt8] {
        guard !redaction.hidesNothing, text.contains(where: Redaction.mayTell) else { return text }
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
        return items(of: text.contains(UInt8(ascii: "\"")) ? json(text[...]) : text, isURL: true)
    }

    /// Reads a header field.
    package mutating func field(_ name: String, _ value: String) -> String {
        guard redaction.decision(on: name).hides(value.utf8) else { return text(value) }
        begin(value.utf8.count)
        if isCollecting {
            found.append(.field(name: name, value: value))
            if value.utf8.contains(where: Redaction.mayTell) { _ = nested(Array(value.utf8)[...]) }
        }
        return String(decoding: placeholder(for: .field(name: name, value: value)), as: UTF8.self)
    }

    /// Reads a text of any kind.
    package mutating func text(_ text: String) -> String {
        guard !redaction.hidesNothing, text.utf8.contains(where: Redaction.mayTell) else { return text }
        return String(decoding: self.text(Array(text.utf8)), as: UTF8.self)
    }

    /// Reads a URL.
    package mutating func url(_ text: String) -> String {
        guard !redaction.hidesNothing, text.utf8.contains(where: Redaction.mayTell) else { return text }
        return String(decoding: url(Array(text.utf8)), as: UTF8.self)
    }
}

extension Redaction {
    /// Whether a secret name may stand in a text that is not read: one stands there, or something is encoded once more.
    fileprivate func mayHoldSecret(_ text: ArraySlice<UInt8>) -> Bool {
        if text.contains(where: { $0 == URIEncoding.percent || $0 == UInt8(ascii: "\\") }) { return true }
        return isSuspect(text)
    }
}
