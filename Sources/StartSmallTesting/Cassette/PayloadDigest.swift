import Foundation
import StartSmall

/// What is kept of a payload that is too long for a ``Cassette``.
public struct PayloadDigest: Hashable, Sendable {
    /// How many bytes the payload had.
    public var size: Int

    /// Its SHA-256 (FIPS 180-4) in hexadecimal digits; nil where something secret was found in it, which a hash could tell.
    public var sha256: String?

    /// Creates a digest.
    ///
    /// - Parameters:
    ///   - size: in bytes.
    ///   - sha256: in small hexadecimal digits.
    public init(size: Int, sha256: String?) {
        self.size = size
        self.sha256 = sha256
    }

    /// Whether a payload may be the one of which this is kept: any one, where there is no hash.
    ///
    /// - Parameter hash: that of the payload, which is asked for if the size is the same.
    func fits(_ payload: Data, hash: () -> String) -> Bool {
        guard let sha256 else { return !payload.isEmpty }
        return payload.count == size && hash() == sha256
    }
}

extension Cassette {
    /// The longest payload that is written unless another limit is given: 10 MiB.
    ///
    /// GitHub warns of files over 50 MiB and refuses those over 100 MiB (docs.github.com, *About large files on GitHub*). In
    /// Base64, three such payloads are still taken without a warning.
    public static let defaultPayloadLimit = 10 * 1024 * 1024
}

/// The payloads of an exchange before and after they were scrubbed, which tells what of them may be in a file.
struct PayloadSizes {
    private var input: Kept
    private var response: Kept

    /// The most bytes of a payload that are written.
    private let limit: Int

    private struct Kept {
        let size: Int

        /// Whether something in it was replaced.
        var isChanged = false
    }

    /// - Parameter exchange: as it was sent and received.
    init(of exchange: Exchange, limit: Int) {
        input = Kept(size: exchange.input.methodAndPayload.body?.count ?? 0)
        response = Kept(size: exchange.response.payload.count)
        self.limit = limit
    }

    /// Notes what was replaced.
    mutating func note(_ old: Exchange, _ new: Exchange) {
        if input.size > limit, old.input.methodAndPayload.body != new.input.methodAndPayload.body {
            input.isChanged = true
        }
        if response.size > limit, old.response.payload != new.response.payload { response.isChanged = true }
    }

    /// An exchange with a digest in place of each payload that is too long.
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

extension Exchange {
    /// What is replayed: an error that says what to do if the payload was too long for the file.
    ///
    /// - Parameter file: the name of the cassette.
    func output(in file: String) -> Output {
        guard let responseDigest else { return .hasResponse(response) }
        let size = responseDigest.size
        let text = """
            the response's payload of \(size) bytes is not in the cassette \(file), which keeps its size and hash alone: \
            record it with payloadsUpTo: \(size) or more
            """
        return .noResponse(.noDataOrNoResponse(debugInfo: text))
    }
}
