/// How much a log tells.
public enum LogVerbosity: Hashable, Sendable {
    /// Nothing: the wrapper is not even there.
    case off

    /// Method, URL, status, sizes and time.
    case line

    /// A command that sends the same with curl, too; without a payload of more than ``defaultPayloadLimit`` bytes.
    case curl

    /// Header fields, too.
    case headers

    /// Header fields and payloads, too, of each at most `limit` bytes.
    case payloads(limit: Int)

    /// Header fields and payloads, too, of each at most ``defaultPayloadLimit`` bytes.
    public static let payloads = LogVerbosity.payloads(limit: defaultPayloadLimit)

    /// 4 KiB: what an API says of an error fits, and a whole entry fits into the 16 KiB at which Docker splits a line
    /// (`defaultBufSize` of its log copier).
    public static let defaultPayloadLimit = 4 * 1024
}
