public import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

extension Wrapper {
    /// The default size from which a payload is compressed: 1 KiB.
    ///
    /// A smaller payload and its head are one packet of 1,500 bytes, compressed or not.
    @usableFromInline static let defaultLeastGzippedPayload = 1_024

    /// The default methods whose payloads are compressed: POST, PATCH and QUERY.
    ///
    /// A server stores the payload of a PUT, with its coding (RFC 9110 8.4 and 9.3.4): stores of objects answer no 415, and
    /// their readers would get other bytes.
    @usableFromInline static let defaultGzippedMethods: Set<String> = ["POST", "PATCH", "QUERY"]

    /// Compresses the payload of each request with gzip (RFC 9110 8.4.1.3), until its server refuses that with a 415.
    ///
    /// ```swift
    /// let app = Connector.standard.wrapped(by: .retry(), .gzipPayloads(), .contentDigest())
    /// ```
    ///
    /// A server that doesn't know the coding answers 415 (RFC 9110 15.5.16). The request is then sent once more as it
    /// was, and so is each later one to this origin, whatever the reason of the 415 was.
    ///
    /// - Parameters:
    ///   - bytes: the size from which a payload is compressed, 1 KiB by default.
    ///   - methods: the methods whose payloads are compressed; by default not PUT, whose payload a server stores as it
    ///     comes.
    /// - Passes through: other methods; payloads that are smaller, that would not shrink, or that are not in memory as a whole: files,
    ///   streams and multipart forms; requests with a field about these bytes, such as `Content-Encoding`,
    ///   `Content-Digest` or `Content-MD5`; requests to a relative URL; and token requests of OAuth 2.0, as
    ///   `.redirect` knows them: the size of a compressed text shows whether two parts of it are equal, so that it may
    ///   reveal a secret to who can choose another part (RFC 7457 2.6).
    /// - Order: outside of `.contentDigest` and of a wrapper that signs the payload, which are for the bytes that are
    ///   sent. Inside of a wrapper that reads the payload, such as `.rateLimit(cost:)`, of `.retry`, whose attempts it keeps apart, of `.idempotencyKey`, whose key both requests have, of
    ///   `.baseURL`, since a relative URL has no origin, of `.log(.payloads)`, and of `.record` and `.replay`, which
    ///   find no secret in a compressed payload.
    /// - State: the origins that have refused, at most 256; another one then takes the place of any of them.
    public static func gzipPayloads(
        from bytes: Int = defaultLeastGzippedPayload,
        methods: Set<String> = defaultGzippedMethods
    ) -> Wrapper {
        Wrapper("gzipPayloads") { connector in
            let refusing = Locked<[Origin: Bool]>([:])
            return connector.wrapped(
                by: Wrapper { input, next in
                    guard methods.contains(input.methodAndPayload.method), let origin = Origin(input.url),
                        refusing.withLock({ $0[origin] == nil }), !next.isolation.isRefresh,
                        let coded = input.gzipped(from: bytes)
                    else { return await next(input) }
                    let output = await next(coded)
                    guard output.response?.statusCode == .unsupportedMediaType else { return output }
                    refusing.withLock { $0.set(true, for: origin, atMost: mostOrigins) }
                    if next.context.isCancelled { return output }
                    output.discard()
                    return await next(input)
                }
            )
        }
    }

    /// The number of origins that are remembered: an app calls few, and one that is forgotten costs one request more.
    private static let mostOrigins = 256
}

extension Request {
    /// The fields that describe the bytes of a payload as they are, so that these must stay.
    private static let describingBytes = [
        "Content-Encoding", "Content-Range", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5", "Content-Length",
        "x-amz-content-sha256", "x-ms-content-sha256",
    ]

    /// Returns the request with its payload in gzip; nil if it is to be sent as it is.
    fileprivate func gzipped(from least: Int) -> Request? {
        guard let payload = methodAndPayload.payload, case .data(let data) = payload.content, data.count >= least,
            !Self.describingBytes.contains(where: headers.contains), !asksForToken(with: payload),
            let coded = Gzip.encoded(data)
        else { return nil }
        return with {
            let payload = Payload(.data(coded), mediaType: payload.mediaType)
            $0.methodAndPayload = HTTPMethodAndPayload(method: methodAndPayload.method, payload: payload)
            $0.headers.append("Content-Encoding", "gzip")
        }
    }
}
