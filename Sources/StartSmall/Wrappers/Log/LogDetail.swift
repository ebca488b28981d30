/// How much a log tells.
public enum LogDetail: Hashable, Sendable {
    /// Nothing: the wrapper is not even there.
    case off

    /// Method, URL, status, sizes and time.
    case line

    /// A command that sends the same with curl, too; without a payload of more than ``standardPayloadLimit`` bytes.
    case curl

    /// Header fields, too.
    case headers

    /// Header fields and payloads, too, of each at most `limit` bytes.
    case payloads(limit: Int)

    /// Header fields and payloads, too, of each at most ``standardPayloadLimit`` bytes.
    public static let payloads = LogDetail.payloads(limit: standardPayloadLimit)

    /// 4 KiB: what an API says of an error fits, and a whole entry fits into the 16 KiB at which Docker splits a line
    /// (`defaultBufSize` of its log copier).
    public static let standardPayloadLimit = 4 * 1024
}
