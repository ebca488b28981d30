import Foundation
import StartSmall

/// The digest of a payload that is over the limit of a ``Cassette``.
public struct PayloadDigest: Hashable, Sendable {
    /// The number of bytes of the payload.
    public var size: Int

    /// The payload's SHA-256 (FIPS 180-4) in hexadecimal digits.
    ///
    /// The hash is nil for a payload with secrets, which a hash could reveal.
    public var sha256: String?

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - size: the number of bytes of the payload.
    ///   - sha256: the payload's SHA-256 in lowercase hexadecimal digits.
    public init(size: Int, sha256: String?) {
        self.size = size
        self.sha256 = sha256
    }

    /// Returns whether a payload may have this digest.
    ///
    /// Any nonempty payload may have a digest without a hash.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - hash: returns the hash of the payload; called only if the size is the same.
    func fits(_ payload: Data, hash: () -> String) -> Bool {
        guard let sha256 else { return !payload.isEmpty }
        return payload.count == size && hash() == sha256
    }
}

extension Cassette {
    /// The default limit of written payloads: 10 MiB.
    ///
    /// GitHub warns of files over 50 MiB and refuses files over 100 MiB (docs.github.com, *About large files on
    /// GitHub*). Three such payloads in Base64 are still accepted without a warning.
    public static let defaultPayloadLimit = 10 * 1024 * 1024
}

/// The payloads of an exchange before and after redaction, which determine the allowed content of a file.
struct PayloadSizes {
    private var input: Kept
    private var response: Kept

    /// The maximum number of bytes of a written payload.
    private let limit: Int

    private struct Kept {
        let size: Int

        /// Whether the redaction replaced a part of the payload.
        var isChanged = false
    }

    /// Creates the sizes of an exchange.
    ///
    /// - Parameters:
    ///   - exchange: the exchange as sent and received.
    ///   - limit: the maximum number of bytes of a written payload.
    init(of exchange: Exchange, limit: Int) {
        input = Kept(size: exchange.input.methodAndPayload.body?.count ?? 0)
        response = Kept(size: exchange.response.payload.count)
        self.limit = limit
    }

    /// Notes the redacted payloads.
    mutating func note(_ old: Exchange, _ new: Exchange) {
        if input.size > limit, old.input.methodAndPayload.body != new.input.methodAndPayload.body {
            input.isChanged = true
        }
        if response.size > limit, old.response.payload != new.response.payload { response.isChanged = true }
    }

    /// Returns an exchange with a digest in place of each payload over the limit.
    func cut(_ exchange: Exchange) -> Exchange {
        var exchange = exchange
        if input.size > limit, let payload = exchange.input.methodAndPayload.payload {
            exchange.inputDigest = digest(input, exchange.input.methodAndPayload.body ?? Data())
            exchange.input.methodAndPayload = HTTPMethodAndPayload(
                method: exchange.input.methodAndPayload.method,
                payload: Payload(.data(Data()), mediaType: payload.mediaType)
            )
        }
        if response.size > limit {
            exchange.responseDigest = digest(response, exchange.response.payload)
            exchange.response.payload = Data()
        }
        return exchange
    }

    private func digest(_ kept: Kept, _ data: Data) -> PayloadDigest {
        PayloadDigest(size: kept.size, sha256: kept.isChanged ? nil : SHA256.digest(of: data))
    }
}
