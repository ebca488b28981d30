public import StartSmallSupport

/// Header fields in the order in which they were added, with duplicates; names are case-insensitive.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"] = "text/plain"
/// headers["ACCEPT"]  // "text/plain"
/// ```
///
/// Two values are equal if they have the same meaning (RFC 9110 5.1 and 5.3): names are compared without case, and
/// order matters only among fields of one name.
public struct HTTPHeaders: Sendable {
    /// One header field, unchanged.
    ///
    /// Two fields are equal if they are the same byte by byte.
    public struct Field: Sendable {
        /// The name, in its original case.
        public var name: String

        /// The value, unchanged; white space around it does not reach the other side (RFC 9110 5.5).
        ///
        /// A byte that is not UTF-8 is the character U+10FF00 + byte, and is sent back as that byte.
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

    /// Creates headers from a dictionary of names and values, sorted by name.
    ///
    /// Names that differ only in case are fields of the same name, and all of them are kept.
    public init(_ values: [String: String]) {
        self.init(values.sorted { $0.key < $1.key }.map(Field.init))
    }
}

extension HTTPHeaders {
    /// The value of the first field of this name, or nil if there is none; setting it replaces all fields of this name.
    ///
    /// A new value takes the position of the first previous field, or the last position if there is none. Setting nil
    /// removes all fields of this name.
    public subscript(name: String) -> String? {
        get { index(of: name).map { fields[$0].value } }
        set {
            guard let newValue else { return fields.removeAll { $0.isNamed(name) } }
            guard let index = index(of: name) else { return append(name, newValue) }
            fields[index] = Field(name: name, value: newValue)
            if let next = self.index(of: name, from: index + 1) { fields[next...].removeAll { $0.isNamed(name) } }
        }
    }

    /// Returns the index of the first field of this name, at or after another index.
    private func index(of name: String, from start: Int = 0) -> Int? {
        fields[start...].firstIndex { $0.isNamed(name) }
    }

    /// Returns the values of all fields of this name, in order.
    public func values(of name: String) -> [String] {
        fields.compactMap { $0.isNamed(name) ? $0.value : nil }
    }

    /// Whether there is a field of this name.
    public func contains(_ name: String) -> Bool {
        index(of: name) != nil
    }

    /// Adds a field at the end, and keeps those of the same name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds a field unless there is one of this name.
    ///
    /// - SeeAlso: ``append(_:_:)``
    public mutating func setIfAbsent(_ name: String, to value: String) {
        if !contains(name) { append(name, value) }
    }

    /// Returns a copy in which the fields of `other` replace those of the same names.
    ///
    /// - Parameter other: the fields to add; they follow the others.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        HTTPHeaders(fields.filter { !other.contains($0.name) } + other.fields)
    }
}

extension HTTPHeaders.Field {
    /// Whether this is the field's name, in any case (RFC 9110 5.1).
    ///
    /// Without a call into another module, and in contiguous memory: this runs for each field of each call.
    @inline(__always)
    fileprivate func isNamed(_ other: String) -> Bool {
        let (own, others) = (name.utf8, other.utf8)
        if own.count != others.count { return false }
        let isEqual = own.withContiguousStorageIfAvailable { own in
            others.withContiguousStorageIfAvailable { own.isEqual(to: $0) }
        }
        return isEqual.flatMap(\.self) ?? name.isSame(withoutCase: other)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether another text of the same length is equal, in any case of ASCII letters.
    fileprivate func isEqual(to other: UnsafeBufferPointer<UInt8>) -> Bool {
        indices.allSatisfy { index in
            let (own, other) = (self[index], other[index])
            return own == other
                || own | 0x20 == other | 0x20 && URIEncoding.isAlphanumeric(own) && URIEncoding.isAlphanumeric(other)
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal, in its order, with duplicates.
    public init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map(Field.init))
    }
}

extension HTTPHeaders: Hashable, ComparedByKey {
    package var comparedKey: [ByteEqualString: [ByteEqualString]] {
        fields.reduce(into: [:]) { values, field in
            let name = String(decoding: field.name.utf8.map(\.asciiLowercased), as: UTF8.self)
            values[ByteEqualString(name), default: []].append(ByteEqualString(field.value))
        }
    }
}

extension HTTPHeaders.Field: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<ByteEqualString, ByteEqualString> {
        HashablePair(ByteEqualString(name), ByteEqualString(value))
    }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable, RedactedStringConvertible, MirroredByDescription {
    /// Returns the fields on one line, without the values that `redaction` hides.
    package func description(redacting redaction: Redaction) -> String {
        "[\(fields.map { $0.description(redacting: redaction) }.joined(separator: ", "))]"
    }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable, RedactedStringConvertible,
    MirroredByDescription
{
    /// Returns the field on one line, without a value that `redaction` hides.
    package func description(redacting redaction: Redaction) -> String {
        "\(redaction.shown(name: name)): \(redaction.shown(value, of: name))"
    }
}

extension HTTPHeaders.Field {
    /// The reason why the field would break a message, without credentials; nil if it would not.
    package var rejectionReason: String? {
        if !HTTPToken.isToken(name) {
            return "the name is not a token (RFC 9110 5.1): \"\(Redaction.standard.shown(name: name))\""
        }
        if !HTTPToken.isFieldValue(value) { return "a control character in the value of \(name) (RFC 9110 5.5)" }
        return nil
    }
}
