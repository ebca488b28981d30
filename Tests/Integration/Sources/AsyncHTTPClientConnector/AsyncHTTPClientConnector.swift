public import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
public import StartSmall
import Synchronization

extension Connector {
    /// AsyncHTTPClient as an engine: a complete custom engine.
    ///
    /// ``ValidatedRequest`` checks the input, so that nothing that could break a message is sent. A payload with a file
    /// in it is read while it is sent, and one with a stream in it is produced meanwhile. The response is read as it
    /// arrives, up to `payloadLimit`. Each failure is a case of ``ConnectionError``, with the engine's text and the part
    /// of the response that had arrived. The client is made with `HTTPClient.Configuration.connector`; the caller who
    /// made the client shuts it down.
    public static func asyncHTTPClient(_ client: HTTPClient) -> Connector {
        Connector { input in
            switch ValidatedRequest.from(input) {
            case .left(let error): .noResponse(error)
            case .right(let request): await output(of: request, input.payloadLimit, client)
            }
        }
    }

    private static func output(of wire: ValidatedRequest, _ limit: Int?, _ client: HTTPClient) async -> Output {
        var request = HTTPClientRequest(url: wire.url.absoluteString)
        request.method = HTTPMethod(rawValue: wire.method)
        for field in wire.headers.fields { request.headers.add(name: field.name, value: field.value) }
        request.body = wire.payload.map { .bytes(ByteBuffer(bytes: $0)) }
        if let source = wire.source { request.body = .stream(bytes(of: source), length: .known(Int64(source.count))) }
        if let stream = wire.stream {
            let length = stream.length.map { HTTPClientRequest.Body.Length.known(Int64($0)) } ?? .unknown
            request.body = .stream(stream.chunks().map { ByteBuffer(bytes: $0) }, length: length)
        }
        var arrived: Response?
        do {
            let head = try await client.execute(request, deadline: .distantFuture)
            let headers = StartSmall.HTTPHeaders(head.headers.map { .init(name: $0.name, value: $0.value) })
            var response = Response(statusCode: .from(code: Int(head.status.code)), headers: headers)
            defer { arrived = response }
            for try await bytes in head.body {
                response.payload.append(contentsOf: bytes.readableBytesView)
                guard let limit, response.payload.count > limit else { continue }
                response.payload = response.payload.prefix(limit)
                return .noResponse(.payloadTooLarge(response, limit: limit))
            }
            return .hasResponse(response)
        } catch {
            return .noResponse(Task.isCancelled ? .cancelled : ConnectionError(error, arrived))
        }
    }

    /// Returns the bytes of files as they are requested; a thread that may block reads them, and errors of the file end
    /// the call.
    private static func bytes(of source: PayloadSource) -> AsyncThrowingStream<ByteBuffer, any Error> {
        let reader = Mutex(source.reader())
        return AsyncThrowingStream(unfolding: {
            try await NIOThreadPool.singleton.runIfActive {
                try reader.withLock { try $0.next() }.map { ByteBuffer(bytes: $0) }
            }
        })
    }
}

extension HTTPClient.Configuration {
    /// The configuration for a connector: no redirects, decompressed payloads, and immediate errors.
    public static var connector: Self {
        var configuration = Self(redirectConfiguration: .disallow, decompression: .enabled(limit: .none))
        configuration.connectionPool.retryConnectionEstablishment = false
        return configuration
    }
}

extension ConnectionError {
    fileprivate init(_ error: any Error, _ arrived: Response?) {
        let cause = Cause(domain: "\(type(of: error))", code: 0, text: "\(error)", partial: arrived)
        switch error {
        case let error as ConnectionError: self = error
        case is HTTPClientError where cause.text.hasSuffix("Timeout"): self = .timedOut(cause)
        case let error as HTTPClientError where error == .remoteConnectionClosed: self = .connectionLost(cause)
        case let error as IOError where error.errnoCode == ECONNREFUSED: self = .connectionRefused(cause)
        case is IOError, HTTPParserError.invalidEOFState: self = .connectionLost(cause)
        case is HTTPParserError: self = .malformedResponse(cause)
        case let error as NIOConnectionError where error.connectionErrors.isEmpty: self = .hostNotFound(cause)
        case is NIOConnectionError: self = .connectionRefused(cause)
        case is NIOSSLExtraError,
            is NIOSSLError where cause.text.contains("CERTIFICATE_VERIFY"):
            self = .serverCertificateUntrusted(cause)
        case is NIOSSLError: self = .secureConnectionFailed(cause)
        default: self = .other(cause)
        }
    }
}
