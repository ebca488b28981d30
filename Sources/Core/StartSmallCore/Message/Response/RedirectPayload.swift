extension Response {
    /// The time after the head of a redirect for which its payload is read: 100 ms.
    ///
    /// The payload is a note for readers (RFC 9110 15.4.3), and mostly arrives with the head. OkHttp waits as long for
    /// the rest of a response that is not wanted, so that its connection can be used again
    /// (`DISCARD_STREAM_TIMEOUT_MILLIS`).
    package static let redirectPayloadTime = Duration.milliseconds(100)

    /// The number of bytes of such a payload that are read at most: 64 KiB.
    package static let redirectPayloadLimit = 64 * 1024

    /// Whether a wrapper can follow this response: a redirect with a `Location`.
    package var isFollowable: Bool {
        switch statusCode {
        case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect:
            headers["Location"]?.isEmpty == false
        default: false
        }
    }
}
