/// The part of a payload that has arrived, and the version that its rest must have (RFC 9110 13.1.5 and 14.2).
struct ReceivedPart: Equatable, Sendable {
    /// The number of bytes that have arrived, and the position of the rest.
    var offset: Int

    /// A strong entity tag, or a date of last modification that is as strong (RFC 9110 8.8.2.2).
    var validator: String

    /// The total number of bytes; nil if the server did not state it.
    var total: Int?

    /// The URL that the bytes are from; nil if it is not known.
    ///
    /// A validator is valid for one resource only (RFC 9110 8.8.1).
    var url: String?

    /// The value of `Range` that requests the rest.
    var range: String { "bytes=\(offset)-" }
}
