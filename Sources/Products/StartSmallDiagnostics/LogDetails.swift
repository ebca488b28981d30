public import StartSmall
import StartSmallCore
import StartSmallFoundation

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
    ///
    /// The credentials of a request are also hidden where its response repeats them, in any of several encodings.
    public static func payloads(limit: Int) -> LogVerbosity {
        LogVerbosity(
            name: "payloads(limit: \(limit))",
            showsHeaders: true,
            payloadText: { payload, mediaType, redaction, request in
                let secrets = redaction.secrets(of: request, payloadsUpTo: limit)
                return redaction.shown(payload: payload, mediaType: mediaType, limit: limit, hiding: secrets)
            }
        )
    }

    /// The default payload limit: 4 KiB.
    ///
    /// The error description of an API fits, and a whole entry fits into the 16 KiB at which Docker splits a line
    /// (`defaultBufSize` of its log copier).
    package static let defaultPayloadLimit = 4 * 1024
}

extension Redaction {
    /// Returns the credentials of a request, which its response may repeat.
    fileprivate func secrets(of request: Input, payloadsUpTo limit: Int) -> KnownSecrets {
        var (request, secrets) = (request, KnownSecrets(placeholder: Self.placeholder))
        if hidesNothing { return secrets }
        switch request.methodAndPayload.payload?.content {
        case .data(let data) where data.count <= limit: break
        case .stream, nil: break
        // A log reads no file, and searches no more than it shows.
        default: request.methodAndPayload = HTTPMethodAndPayload(method: request.methodAndPayload.method, payload: nil)
        }
        let exchange = Exchange(input: request, response: Exchange.nothing, recorded: .distantPast)
        _ = secrets.add(CassetteRedaction(self).hidden(exchange).secrets)
        return secrets
    }
}
