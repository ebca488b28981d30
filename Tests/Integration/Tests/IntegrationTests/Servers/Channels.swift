import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPCompression
import NIOHTTPTypesHTTP1
import StartSmallTesting

/// A channel that counts the accepted connections, before a byte of them is read.
struct CountingChannel<Base: ServerChildChannel>: ServerChildChannel {
    private let base: Base
    private let accepted: Recorder<String>

    init(_ base: Base, _ accepted: Recorder<String>) {
        self.base = base
        self.accepted = accepted
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        accepted.append("\(channel.remoteAddress?.description ?? "?")")
        return base.setup(channel: channel, logger: logger)
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

/// HTTP/1.1 whose payloads are compressed by SwiftNIO in a coding that the client accepts.
struct CompressingChannel: ServerChildChannel {
    private let base: HTTP1Channel

    init(_ base: HTTP1Channel) { self.base = base }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(HTTPResponseCompressor(), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
