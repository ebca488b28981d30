/// How much is taken of what has no end, unless you say otherwise.
public enum DefaultLimits {
    /// 1 MiB: longer than any line that an API means to be read at once, short enough to be held.
    public static let lineBytes = 1024 * 1024

    /// 32 MiB: APIs that make images send one in an event, in base64, which makes 20 MB of one in 4K.
    public static let eventBytes = 32 * 1024 * 1024

    /// 1,000 pages, which are 100,000 items where a page has the 100 that most APIs allow.
    public static let pages = 1000

    /// One hour: who polls wants to know sooner, and no mistake in a date can stop it for long.
    public static let pollingPause = Duration.seconds(3600)

    /// 5 seconds, in place of an interval below zero: what a client polls in if the server names no interval (RFC 8628 3.2).
    public static let pollingInterval = Duration.seconds(5)

    /// 3 seconds, as Chromium has it: the standard says "a few" (WHATWG HTML 9.2.2).
    public static let reconnectionPause = Duration.seconds(3)
}
