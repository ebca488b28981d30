import Foundation
import NIOCore
import NIOPosix
import StartSmallTesting

/// A proxy on 127.0.0.1 (RFC 9110 7.6, 9.3.6): opens a tunnel for CONNECT, and forwards any other request.
///
/// Each connection carries one request, or one tunnel.
struct ForwardProxy: Sendable {
    /// The head of a request to the proxy.
    struct Head: Sendable {
        /// The method, the target and the version, as they arrived.
        var words: [String]

        /// The lines of the fields, as they arrived.
        var fields: [String]

        func value(of name: String) -> String? {
            let line = fields.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            return line.map { String($0.dropFirst(name.count + 1)).trimmingCharacters(in: .whitespaces) }
        }
    }

    let url: String
    let asked: Recorder<Head>

    fileprivate typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    fileprivate typealias Writer = NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Runs a proxy while `body` runs; the proxy and all its connections are closed when this returns.
    static func running<Result>(_ body: (ForwardProxy) async throws -> Result) async throws -> Result {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture { try connection(on: channel) }
            }
        let url = "http://127.0.0.1:\(listener.channel.localAddress!.port!)"
        let proxy = ForwardProxy(url: url, asked: Recorder())
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await proxy.serve(listener) }
            defer { group.cancelAll() }
            return try await body(proxy)
        }
    }

    private static func connection(on channel: any Channel) throws -> Connection {
        try Connection(wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
    }

    private func serve(_ listener: NIOAsyncChannel<Connection, Never>) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            try await listener.executeThenClose { clients in
                for try await client in clients {
                    // A connection that breaks does not affect the others.
                    group.addTask { try? await client.executeThenClose(serve) }
                }
            }
        }
    }

    private func serve(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ outbound: Writer) async throws {
        var incoming = inbound.makeAsyncIterator()
        var text = ""
        while !text.contains("\r\n\r\n") {
            guard let bytes = try await incoming.next() else { return }
            text += String(buffer: bytes)
        }
        let (head, rest) = Head.parse(text)
        asked.append(head)
        guard let target = head.target, let server = try? await connect(to: target) else {
            let answer = "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            return try await outbound.write(ByteBuffer(string: answer))
        }
        try await server.executeThenClose { answers, requests in
            if head.isConnect {
                try await outbound.write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
            }
            let first = (head.isConnect ? "" : head.forwarded) + rest
            if !first.isEmpty { try await requests.write(ByteBuffer(string: first)) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for try await bytes in answers { try await outbound.write(bytes) }
                    outbound.finish()
                }
                while let bytes = try await incoming.next() { try await requests.write(bytes) }
                requests.finish()
                try await group.waitForAll()
            }
        }
    }

    private func connect(to target: (host: String, port: Int)) async throws -> Connection {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: target.host, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture { try Self.connection(on: channel) }
            }
    }
}

extension ForwardProxy.Head {
    fileprivate static func parse(_ text: String) -> (head: Self, rest: String) {
        let parts = text.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        let head = Self(words: lines[0].components(separatedBy: " "), fields: Array(lines.dropFirst()))
        return (head, parts.dropFirst().joined(separator: "\r\n\r\n"))
    }

    fileprivate var isConnect: Bool { words.first == "CONNECT" }

    fileprivate var target: (host: String, port: Int)? {
        guard words.count == 3, let url = URL(string: isConnect ? "http://" + words[1] : words[1]) else { return nil }
        guard let host = url.host() else { return nil }
        return (host, url.port ?? 80)
    }

    /// The head for the server: the target's path, without the fields for the proxy.
    fileprivate var forwarded: String {
        let url = URL(string: words[1])
        let path = (url?.path(percentEncoded: true) ?? "/") + (url?.query(percentEncoded: true).map { "?" + $0 } ?? "")
        let kept = fields.filter { !$0.lowercased().hasPrefix("proxy-") && !$0.lowercased().hasPrefix("connection:") }
        let lines = ["\(words[0]) \(path) \(words[2])"] + kept + ["Via: 1.1 test", "Connection: close", "", ""]
        return lines.joined(separator: "\r\n")
    }
}
