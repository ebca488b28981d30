import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Servers over TLS that violate HTTP or TLS.
enum RudeServer {
    /// Runs a server on 127.0.0.1 while `body` runs with its port.
    ///
    /// The server answers each connection with the same bytes, and then closes the connection without `close_notify`,
    /// like an attacker on the path who cuts it off.
    static func running<Result>(
        _ answer: String,
        _ tls: TLSConfiguration,
        _ body: (Int) async throws -> Result
    ) async throws -> Result {
        try await serving(tls, with: { _ in RudeHandler(answer: answer) }, body)
    }

    /// Runs a server on 127.0.0.1 while `body` runs with its port and its connections.
    ///
    /// The server answers each request, and sends stray bytes on demand.
    static func runningWithStrayBytes<Result>(
        _ answer: String,
        _ tls: TLSConfiguration,
        _ body: (Int, Connections) async throws -> Result
    ) async throws -> Result {
        let connections = Connections()
        return try await serving(
            tls,
            with: { channel in
                connections.append(channel)
                return AnsweringHandler(answer: answer)
            },
            { try await body($0, connections) }
        )
    }

    /// The accepted connections of a server, in their order.
    final class Connections: Sendable {
        private let channels = Mutex<[any Channel]>([])

        var count: Int { channels.withLock { $0.count } }

        /// Sends bytes on the first connection, and returns when they have been written.
        func sendStrayBytes(_ bytes: String) async throws {
            guard let channel = channels.withLock({ $0.first }) else { return }
            try await channel.writeAndFlush(ByteBuffer(string: bytes))
        }

        fileprivate func append(_ channel: any Channel) {
            channels.withLock { $0.append(channel) }
        }
    }

    private static func serving<Result>(
        _ tls: TLSConfiguration,
        with handler: @escaping @Sendable (any Channel) -> some ChannelInboundHandler,
        _ body: (Int) async throws -> Result
    ) async throws -> Result {
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(handler(channel))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            let result = try await body(channel.localAddress?.port ?? 0)
            try await channel.close()
            return result
        } catch {
            try await channel.close()
            throw error
        }
    }
}

/// Answers the first bytes that arrive, and closes the connection below TLS.
private final class RudeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String
    private var hasAnswered = false

    init(answer: String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasAnswered { return }
        hasAnswered = true
        // Closed from the position of the TLS handler on, so that the handler is not notified.
        guard let below = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) else {
            return
        }
        let bound = NIOLoopBound(below, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}

/// Answers each read, which is one request of a few bytes.
private final class AnsweringHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String

    init(answer: String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
}
