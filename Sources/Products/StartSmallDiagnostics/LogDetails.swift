public import StartSmall

extension LogVerbosity {
    /// In addition to a line, a curl command that sends the same request.
    ///
    /// The command has no payload of more than 4 KiB.
    public static let curl = LogVerbosity(
        name: "curl",
        command: { $0.curlCommand(redacting: $1, payloadLimit: defaultPayloadLimit) }
    )

    /// In addition to a line, header fields and payloads, of each at most 4 KiB.
    public static let payloads = LogVerbosity.payloads(limit: defaultPayloadLimit)

    /// In addition to a line, header fields and payloads, of each at most `limit` bytes.
    public static func payloads(limit: Int) -> LogVerbosity {
        LogVerbosity(
            name: "payloads(limit: \(limit))",
            showsHeaders: true,
            payloadText: { $2.shown(payload: $0, mediaType: $1, limit: limit) }
        )
    }

    /// The default payload limit: 4 KiB.
    ///
    /// The error description of an API fits, and a whole entry fits into the 16 KiB at which Docker splits a line
    /// (`defaultBufSize` of its log copier).
    package static let defaultPayloadLimit = 4 * 1024
}
