/// A value that a ``Redactor`` replaced.
package enum HiddenValue: Hashable, Sendable {
    /// The bytes of a value in decoded form.
    case value([UInt8])

    /// An alternative reading of a value, such as the value without the punctuation after it.
    case reading([UInt8], of: [UInt8])

    /// The user information of a URL, percent-decoded.
    case userInfo([UInt8])

    /// The value of a header field.
    case field(name: String, value: String)

    /// Hashes all bytes of a value at once.
    ///
    /// An array hashes its bytes one by one, which takes many times as long.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .value(let bytes), .userInfo(let bytes): hasher.combine(ByteString(bytes))
        case .reading(let bytes, let whole):
            hasher.combine(ByteString(bytes))
            hasher.combine(ByteString(whole))
        case .field(let name, let value):
            hasher.combine(ByteEqualString(name))
            hasher.combine(ByteEqualString(value))
        }
    }
}
