import Foundation
import HTTPTypes
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import StartSmallTesting

/// A Hummingbird server on 127.0.0.1, in this process, for the duration of a test.
struct TestServer: Sendable {
    /// The transport of a server.
    enum Transport: Sendable {
        case http1
        case http1Compressing
        case http1OverTLS(TLSConfiguration)
        case http2OverTLS(TLSConfiguration)
    }

    /// The URL without a path; the host is an address, so that no name is looked up.
    let url: URL

    /// The accepted connections, one element each: the address of the client.
    let accepted: Recorder<String>

    /// The requested paths, in order.
    let requested: Recorder<String>

    func url(_ target: String, host: String = "127.0.0.1") -> URL {
        URL(string: "\(url.scheme!)://\(host):\(url.port!)\(target)")!
    }
}

extension TestServer {
    /// Runs a server while `body` runs; the server and all its connections are closed when this returns.
    static func running<Result>(
        _ transport: Transport = .http1,
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let (accepted, requested) = (Recorder<String>(), Recorder<String>())
        let (ports, started) = AsyncStream.makeStream(of: Int.self)
        let barrier = Barrier()
        let routes = Routes(requested: requested, barrier: barrier)
        let server = try transport.channel(accepted) { request, writer, channel in
            var response = try await routes.response(to: request, on: channel)
            response.headers[.date] = Routes.date
            try await writer.write(response: response.head, body: response.body)
        }.server(
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { started.yield($0.localAddress?.port ?? 0) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: .silent
        )
        let service = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], gracefulShutdownSignals: [], logger: .silent)
        )
        async let run: Void = {
            defer { started.finish() }
            try await service.run()
        }()
        guard let port = await ports.first(where: { _ in true }) else {
            try await run
            throw CancellationError()
        }
        let url = URL(string: "\(transport.scheme)://127.0.0.1:\(port)")!
        // A cancelled server drops connections that it has just accepted, which is a fatal error in SwiftNIO.
        do {
            let result = try await body(TestServer(url: url, accepted: accepted, requested: requested))
            barrier.release()
            await service.triggerGracefulShutdown()
            try await run
            return result
        } catch {
            barrier.release()
            await service.triggerGracefulShutdown()
            try await run
            throw error
        }
    }
}

extension TestServer.Transport {
    fileprivate var scheme: String {
        switch self {
        case .http1OverTLS, .http2OverTLS: "https"
        default: "http"
        }
    }

    fileprivate func channel(
        _ accepted: Recorder<String>,
        _ responder: @escaping HTTPChannelHandler.Responder
    ) throws -> any ServerChildChannel {
        let http1 = HTTP1Channel(responder: responder)
        return switch self {
        case .http1: CountingChannel(http1, accepted)
        case .http1Compressing: CountingChannel(CompressingChannel(http1), accepted)
        case .http1OverTLS(let tls): CountingChannel(try TLSChannel(http1, tlsConfiguration: tls), accepted)
        case .http2OverTLS(let tls):
            CountingChannel(try HTTP2UpgradeChannel(tlsConfiguration: tls, responder: responder), accepted)
        }
    }
}

extension Logger {
    /// A silent logger: the messages of servers about clients that disconnect don't matter in a test.
    fileprivate static let silent = Logger(label: "integration") { _ in SwiftLogNoOpLogHandler() }
}
