/// How much is taken of what has no end, unless you say otherwise.
public enum StandardLimits {
    /// 1 MiB: longer than any line that an API means to be read at once, short enough to be held.
    public static let lineBytes = 1024 * 1024

    /// 1,000 pages, which are 100,000 items where a page has the 100 that most APIs allow.
    public static let pages = 1000

    /// One hour: who polls wants to know sooner, and no mistake in a date can stop it for long.
    public static let pollingPause = Duration.seconds(3600)
}
