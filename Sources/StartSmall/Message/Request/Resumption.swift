/// From where a payload is wanted, and of which version it must be (RFC 9110 13.1.5 and 14.2).
struct Resumption: Hashable, Sendable {
    /// How many bytes there are already.
    var offset: Int

    /// A strong entity tag, or a date of last modification that is as strong (RFC 9110 8.8.2.2).
    var validator: String

    /// How many bytes there are in all; nil if the server did not say.
    var total: Int?

    /// The URL that the bytes are from, as a validator is of one resource alone (RFC 9110 8.8.1); nil if it is not known.
    var url: String?

    /// The value of `Range` that asks for the rest.
    var range: String { "bytes=\(offset)-" }
}
