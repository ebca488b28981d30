import NIOCore
import NIOPosix
import NIOSSL

/// A server that answers each connection with the same bytes over TLS, and then closes the connection without
/// `close_notify`, as somebody on the way would who cuts it off.
enum RudeServer {
    /// Runs a server on 127.0.0.1 while `body` runs with its port.
    static func running<Result>(
        _ answer: String,
        _ tls: TLSConfiguration,
        _ body: (Int) async throws -> Result
    ) async throws -> Result {
        let context = try NIOSSLContext(configuration: tls)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(RudeHandler(answer: answer))
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

/// Answers the first bytes that come, and closes the connection below TLS.
private final class RudeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String
    private var hasAnswered = false

    init(answer: String) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasAnswered { return }
        hasAnswered = true
        // Closed from the place of the TLS handler on, so that it hears nothing of it.
        guard let below = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) else {
            return
        }
        let bound = NIOLoopBound(below, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
