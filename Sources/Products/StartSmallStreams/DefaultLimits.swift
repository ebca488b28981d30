/// Default limits for unbounded sequences.
@usableFromInline package enum DefaultLimits {
    /// The maximum length of a line: 1 MiB.
    ///
    /// The limit is longer than any line that an API sends to be read at once, and short enough to keep in memory.
    @usableFromInline static let lineBytes = 1024 * 1024

    /// The maximum length of an event: 32 MiB.
    ///
    /// APIs that generate images send one in an event, in base64; a 4K image takes 20 MB.
    @usableFromInline static let eventBytes = 32 * 1024 * 1024

    /// The maximum number of pages: 1,000, which are 100,000 items if a page has the 100 that most APIs allow.
    @usableFromInline static let pages = 1000

    /// The longest pause between polls that a response can request: one hour.
    ///
    /// A client that polls needs an answer sooner, and a wrong date can't stop it for long.
    @usableFromInline static let pollingPause = Duration.seconds(3600)

    /// The polling interval that replaces a negative one: 5 seconds.
    ///
    /// A client polls at this interval if the server names none (RFC 8628 3.2).
    @usableFromInline static let pollingInterval = Duration.seconds(5)

    /// The pause before a reconnection: 3 seconds, as in Chromium; the standard says "a few" (WHATWG HTML 9.2.2).
    @usableFromInline package static let reconnectionPause = Duration.seconds(3)

    /// The maximum depth of nested values in unfinished JSON: 512, the depth that `JSONDecoder` reads.
    @usableFromInline static let jsonDepth = 512
}
