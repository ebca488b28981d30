/// From where a payload is wanted, and of which version it must be (RFC 9110 13.1.5 and 14.2).
struct Resumption: Hashable, Sendable {
    /// How many bytes there are already.
    var offset: Int

    /// A strong entity tag, or a date of last modification.
    var validator: String
}
