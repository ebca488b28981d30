package import Foundation
package import StartSmall
package import StartSmallTesting

/// A request as a server received it.
package struct RawMessage: Sendable {
    package let requestLine: String
    package let headers: HTTPHeaders
    package let body: Data

    package init(_ bytes: Data) {
        let blank = Data("\r\n\r\n".utf8)
        let end = bytes.firstRange(of: blank)
        let head = String(decoding: bytes[..<(end?.lowerBound ?? bytes.endIndex)], as: UTF8.self)
        let lines = head.components(separatedBy: "\r\n")
        requestLine = lines.first ?? ""
        headers = HTTPHeaders(
            lines.dropFirst().map { line in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.dropFirst().first ?? ""
                return HTTPHeaders.Field(
                    name: String(parts.first ?? ""),
                    value: value.trimmingCharacters(in: .whitespaces)
                )
            }
        )
        body = Data(end.map { bytes[$0.upperBound...] } ?? Data())
    }
}

extension EngineUnderTest {
    /// The request that arrives at a server, for an input with this path and query.
    package func sent(
        _ target: String,
        headers: HTTPHeaders = [:],
        _ methodAndPayload: HTTPMethodAndPayload = .get
    ) async throws -> RawMessage {
        let answer: [ServerScriptStep] = [
            .receiveRequest, .send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
        ]
        return try await LoopbackServer.playing({ _ in answer }) { server in
            let input = Input(url: try server.url(target), headers: headers, methodAndPayload: methodAndPayload)
            let output = await WebAPI.call(with: input, via: connector())
            guard let bytes = server.received.elements.first else { throw Unexpected(output) }
            return RawMessage(bytes)
        }
    }

    /// The output of a call to a server that answers with these bytes.
    package func output(of response: String, limit: Int? = nil) async throws -> Output {
        try await output(of: [.sendBytes(Array(response.utf8)), .close], limit: limit)
    }

    /// The output of a call to a server that performs `steps` after it has read the request.
    package func output(
        of steps: [ServerScriptStep],
        limit: Int? = nil,
        idle: Duration = .seconds(30)
    ) async throws -> Output {
        try await LoopbackServer.playing({ _ in [.receiveRequest] + steps }) { server in
            var input = Input(url: try server.url("/"))
            input.payloadLimit = limit
            return await WebAPI.call(with: input, via: connector(idle: idle))
        }
    }

    /// The response that these bytes make.
    package func response(to bytes: String) async throws -> Response {
        let output = try await output(of: bytes)
        guard case .hasResponse(let response) = output else { throw Unexpected(output) }
        return response
    }

    /// The error of a call to a server that performs `steps` after it has read the request.
    package func error(of steps: [ServerScriptStep], idle: Duration = .seconds(30)) async throws -> ConnectionError {
        let output = try await output(of: steps, idle: idle)
        guard case .noResponse(let error) = output else { throw Unexpected(output) }
        return error
    }
}

extension LoopbackServer {
    /// The URL of a path and query at this server.
    package func url(_ target: String) throws -> URL {
        guard let url = URL(string: url.absoluteString + target, encodingInvalidCharacters: false) else {
            throw Unexpected(target)
        }
        return url
    }
}

/// A result with which a test can't go on.
package struct Unexpected: Error, CustomStringConvertible {
    package let description: String

    package init(_ what: some Any) {
        description = "unexpected: \(what)"
    }
}

extension Data {
    /// Bytes of all values in an order that no block of a power of two repeats.
    package static func pattern(count: Int) -> Data {
        let prime = Data((0..<257).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var data = Data()
        while data.count < count { data += prime }
        return data.prefix(count)
    }

    /// Whether both are equal; a failure does not search for the difference, which takes hours for megabytes.
    package func isSame(as other: Data) -> Bool { self == other }

    /// The bytes in pieces of at most this size.
    package func split(by size: Int) -> [Data] {
        stride(from: 0, to: count, by: size).map { Data(dropFirst($0).prefix(size)) }
    }
}

/// 1 MiB of zeros in some 1,000 bytes of gzip.
package let gzippedMebibyteOfZeros =
    "H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfo" + String(repeating: "A", count: 1355) + "PgMc6jinAAAQAA=="
