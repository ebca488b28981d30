/// How much is taken of what has no end, unless you say otherwise.
public enum StandardLimits {
    /// 1 MiB: longer than any line that an API means to be read at once, short enough to be held.
    public static let lineBytes = 1024 * 1024
}
