/// Header fields in the order they were given, duplicates kept, their names compared without case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers.set("accept", to: "text/plain")
/// headers["ACCEPT"]  // "text/plain"
/// ```
///
/// Two values are equal if they mean the same (RFC 9110 5.1 and 5.3): names without case, and the order of fields
/// counts only among those of one name.
public struct HTTPHeaders: Sendable {
    /// One header field as it was given.
    public struct Field: Sendable {
        /// The name, in the case in which it was given.
        public var name: String

        /// The value as it was given; white space around it does not reach the other side (RFC 9110 5.5).
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields in order.
    public private(set) var fields: [Field]

    /// Creates headers from fields in order.
    public init(_ fields: [Field] = []) {
        self.fields = fields
    }
}

extension HTTPHeaders {
    /// The value of the first field of this name, or nil if there is none; when set, replaces all fields of this name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            if let newValue { set(name, to: newValue) } else { remove(name) }
        }
    }

    /// The values of all fields of this name, in order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Whether there is a field of this name.
    public func contains(_ name: String) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// Makes this the only field of its name, in the place of the first one there was.
    public mutating func set(_ name: String, to value: String) {
        guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else { return append(name, value) }
        fields[index] = Field(name: name, value: value)
        if let next = fields[(index + 1)...].firstIndex(where: { $0.isNamed(name) }) {
            fields[next...].removeAll { $0.isNamed(name) }
        }
    }

    /// Adds a field at the end, beside those of the same name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds a field unless there is one of this name.
    public mutating func setIfAbsent(_ name: String, to value: String) {
        if !contains(name) { append(name, value) }
    }

    /// Removes all fields of this name.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.isNamed(name) }
    }

    /// A copy in which the fields of `other` stand in place of those of the same names.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(fields.filter { !other.contains($0.name) } + other.fields)
    }
}

extension HTTPHeaders.Field {
    /// Whether this is the field's name, without case (RFC 9110 5.1).
    fileprivate func isNamed(_ other: String) -> Bool {
        let own = name.utf8
        let others = other.utf8
        guard own.count == others.count else { return false }
        // By index, not by a pair of iterators: this is asked for each field of each call.
        var (index, otherIndex) = (own.startIndex, others.startIndex)
        while index != own.endIndex {
            guard own[index].asciiLowercased == others[otherIndex].asciiLowercased else { return false }
            own.formIndex(after: &index)
            others.formIndex(after: &otherIndex)
        }
        return true
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal, in its order, duplicates kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map(Field.init))
    }
}

extension HTTPHeaders: Hashable {
    /// Whether both mean the same, values byte by byte.
    public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool {
        left.byName == right.byName
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(byName)
    }

    private var byName: [ByteEqualString: [ByteEqualString]] {
        fields.reduce(into: [:]) { values, field in
            let name = String(decoding: field.name.utf8.map(\.asciiLowercased), as: UTF8.self)
            values[ByteEqualString(name), default: []].append(ByteEqualString(field.value))
        }
    }
}

extension HTTPHeaders.Field: Hashable {
    /// Whether both were given so, byte by byte.
    public static func == (left: HTTPHeaders.Field, right: HTTPHeaders.Field) -> Bool {
        left.name.isSame(as: right.name) && left.value.isSame(as: right.value)
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteEqualString(name))
        hasher.combine(ByteEqualString(value))
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields on one line, credentials redacted.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the fields, credentials redacted.
    public var customMirror: Mirror {
        let redaction = Redaction.standard
        return Mirror(
            self,
            children: fields.map { (redaction.shown(name: $0.name), redaction.shown($0.value, of: $0.name)) },
            displayStyle: .struct
        )
    }

    /// The fields on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        "[\(fields.map { $0.description(redacting: redaction) }.joined(separator: ", "))]"
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field on one line, a credential redacted.
    public var description: String {
        description(redacting: .standard)
    }

    /// The same as ``description``.
    public var debugDescription: String {
        description
    }

    /// What `dump` and failed tests show: the name, and the value unless it is a credential.
    public var customMirror: Mirror {
        let redaction = Redaction.standard
        return Mirror(self, children: ["name": redaction.shown(name: name), "value": redaction.shown(value, of: name)])
    }

    /// The field on one line, hiding what `redaction` says.
    public func description(redacting redaction: Redaction) -> String {
        "\(redaction.shown(name: name)): \(redaction.shown(value, of: name))"
    }
}
