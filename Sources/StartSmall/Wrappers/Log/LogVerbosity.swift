/// The verbosity of a log.
public enum LogVerbosity: Hashable, Sendable {
    /// No logging: the wrapper is not even applied.
    case off

    /// Method, URL, status, sizes and duration.
    case line

    /// In addition to a line, a curl command that sends the same request.
    ///
    /// The command has no payload of more than 4 KiB.
    case curl

    /// In addition to a line, header fields.
    case headers

    /// In addition to a line, header fields and payloads, of each at most `limit` bytes.
    case payloads(limit: Int)

    /// In addition to a line, header fields and payloads, of each at most 4 KiB.
    public static let payloads = LogVerbosity.payloads(limit: defaultPayloadLimit)

    /// The default payload limit: 4 KiB.
    ///
    /// The error description of an API fits, and a whole entry fits into the 16 KiB at which Docker splits a line
    /// (`defaultBufSize` of its log copier).
    package static let defaultPayloadLimit = 4 * 1024
}
