/// The part of a payload that has arrived, and the version that its rest must have (RFC 9110 13.1.5 and 14.2).
package struct ReceivedPart: Equatable, Sendable {
    /// The number of bytes that have arrived, and the position of the rest.
    package var offset: Int

    /// A strong entity tag, or a date of last modification that is as strong (RFC 9110 8.8.2.2).
    package var validator: String

    /// The total number of bytes; nil if the server did not state it.
    package var total: Int?

    /// The URL that the bytes are from; nil if it is not known.
    ///
    /// A validator is valid for one resource only (RFC 9110 8.8.1).
    package var url: String?

    package init(offset: Int, validator: String, total: Int? = nil, url: String? = nil) {
        (self.offset, self.validator, self.total, self.url) = (offset, validator, total, url)
    }

    /// The value of `Range` that requests the rest.
    package var range: String { "bytes=\(offset)-" }
}
