public import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
import StartSmallFoundation

extension Wrapper {
    /// Sends the SHA-256 of each payload in `Content-Digest` (RFC 9530 2), and checks that of each response.
    ///
    /// A digest detects a payload that was changed or mixed up on its way. It is no signature: who can change the
    /// payload can change the field.
    ///
    /// A payload in memory and a file that differ from their digest are an error, and are not delivered. A stream ends
    /// with that error in place of its end, after its bytes were delivered; so nothing is checked if its reader ends it
    /// earlier. The part of a 206 has a digest of its own: of a download
    /// that is resumed, each part is checked by its own one, if it has any, and a part that breaks off is not.
    ///
    /// - Passes through: requests with a `Content-Digest`, or whose payload is not in memory as a whole: files, streams
    ///   and multipart forms; token requests, as logs show the field, by which a short secret can be found. Responses without a SHA-256 in that field, with a field of more than 1 KiB or that is not
    ///   a dictionary (RFC 9651 3.2), and trailers: no other algorithm is computed. Responses to HEAD, and 304, whose
    ///   payload is not sent. **Responses with a `Content-Encoding` that the engine decodes**, or may decode
    ///   (``Connector/decodesPayload(of:)``), since the digest is that of the coded bytes; with
    ///   `ConnectionOptions(decompression: .none)`, they are checked.
    /// - Order: inside of `.gzipPayloads`, since the digest is that of the bytes that are sent; outside of a wrapper that
    ///   signs the field. Responses are checked next to the engine, wherever the wrapper stands.
    /// - Errors: ``ConnectionError/unreadablePayload(_:)``, which keeps the head and the size of the payload, or the
    ///   payload itself; `.retry` repeats it by its status only.
    public static func contentDigest() -> Wrapper {
        Wrapper("contentDigest") { connector in
            connector.wrapped(
                by: Wrapper { input, next in await next(next.isolation.isRefresh ? input : input.digested) },
                .streaming { input, next in
                    let output = await next(input)
                    guard let response = output.response,
                        let digest = response.digest(to: input, isDecoded: connector.decodesPayload(of: input))
                    else { return output }
                    return output.mapBody { $0.comparing(to: digest) }
                }
            )
        }
    }
}

/// The field `Content-Digest`, as far as it is about SHA-256.
enum ContentDigest {
    static let name = "Content-Digest"
    private static let algorithm = "sha-256"

    /// The length of values that is read: far more than all registered algorithms need (RFC 9530 7.2).
    private static let maximumLength = 1_024

    static func text(_ digest: [UInt8]) -> String { "\(algorithm)=:\(Data(digest).base64EncodedString()):" }

    /// Returns the SHA-256 of fields; nil if there is none, or if the fields are no dictionary of byte sequences.
    ///
    /// Of two values, the last one counts (RFC 9651 3.2). A value of another length is no digest of any bytes.
    static func sha256(_ values: [String]) -> [UInt8]? {
        let value = values.joined(separator: ",")
        guard !value.isEmpty, value.utf8.count <= maximumLength else { return nil }
        var (field, digest) = (HeaderScanner(value), [UInt8]?.none)
        repeat {
            field.skipBlanks()
            let key = field.token()
            guard !key.isEmpty, field.take("="), field.take(":") else { return nil }
            let text = field.text { $0 == UInt8(ascii: ":") }
            guard field.take(":"), let bytes = Data(base64Encoded: text) else { return nil }
            if key == algorithm { digest = Array(bytes) }
            field.skipBlanks()
            guard field.isAtEnd || field.isAt(",") || field.isAt(";") else { return nil }
            // Parameters have no meaning here.
            field.skip(to: ",")
        } while field.take(",")
        return digest
    }
}

extension Request {
    /// The request with the digest of its payload, if that is in memory and has none.
    fileprivate var digested: Request {
        guard let payload = methodAndPayload.payload, case .data(let data) = payload.content,
            !headers.contains(ContentDigest.name), !asksForToken(with: payload)
        else { return self }
        return with { $0.headers.append(ContentDigest.name, ContentDigest.text(SHA256Hash.digest(of: [data]))) }
    }
}

extension Response {
    /// Returns the digest that the payload must have; nil if there is none, or if the bytes are not those it is of.
    fileprivate func digest(to input: Input, isDecoded: Bool?) -> [UInt8]? {
        let codings = headers.values(of: "Content-Encoding")
        guard input.methodAndPayload.method != "HEAD", statusCode != .notModified,
            isDecoded == false || codings.allSatisfy({ $0.isEmpty || $0.lowercased() == "identity" })
        else { return nil }
        return ContentDigest.sha256(headers.values(of: ContentDigest.name))
    }
}

extension ResponseBody {
    /// Returns a body that ends with an error unless its bytes have a digest.
    fileprivate func comparing(to digest: [UInt8]) -> ResponseBody {
        let hash = Locked(SHA256Hash())
        return around { inner async throws(ConnectionError) -> Data? in
            if let chunk = try await inner.next() {
                hash.withLock { $0.add(chunk) }
                return chunk
            }
            if hash.withLock({ $0.digest }) == digest { return nil }
            throw .unreadablePayload(
                .init(domain: ContentDigest.name, code: 1, text: "the payload does not have the SHA-256 of its field")
            )
        }
    }
}
