import Foundation

@testable import StartSmallTesting

/// A connection to a loopback server with blocking calls for single bytes, only for use in ``onThread(_:)``.
struct RawClient: Sendable {
    private let socket: LoopbackSocket
    let isConnected: Bool

    init(port: UInt16) {
        socket = .new()
        precondition(socket.descriptor >= 0, "socket: \(errno)")
        isConnected = socket.connect(to: port)
    }

    func send(_ text: String) {
        sendBytes(Array(text.utf8))
    }

    /// Sends bytes, and returns false if the connection is lost before all of them are sent.
    @discardableResult
    func sendBytes(_ bytes: [UInt8]) -> Bool {
        socket.send(Data(bytes))
    }

    /// Reads until the end of the connection, and returns the error code of its end; 0 for an orderly end.
    func readToEnd() -> (text: String, error: Int32) {
        let (bytes, error) = read(upTo: .max)
        return (String(decoding: bytes, as: UTF8.self), error)
    }

    /// Reads exactly as many bytes as the text has, or fewer if the connection ends.
    func read(_ count: Int) -> String {
        String(decoding: read(upTo: count).bytes, as: UTF8.self)
    }

    /// Reads a number of bytes, or fewer if the connection ends, and returns the error code of its end.
    func read(upTo count: Int) -> (bytes: [UInt8], error: Int32) {
        var (all, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 20))
        while all.count < count {
            let result = recv(socket.descriptor, &chunk, min(chunk.count, count - all.count), 0)
            if result <= 0 { return (all, result < 0 ? errno : 0) }
            all += chunk[..<result]
        }
        return (all, 0)
    }

    /// Shuts down the sending side of the connection.
    func endOutput() {
        shutdown(socket.descriptor, Int32(SHUT_WR))
    }

    func end() {
        socket.release()
    }
}

extension RawClient {
    /// Connects, runs the conversation on a separate thread, and closes.
    static func converse<Result: Sendable>(
        with server: LoopbackServer,
        _ body: @escaping @Sendable (RawClient) -> Result
    ) async -> Result {
        await onThread {
            let client = RawClient(port: server.port)
            defer { client.end() }
            return body(client)
        }
    }

    /// Sends a text, and reads until the server ends the connection.
    static func exchange(_ text: String, with server: LoopbackServer) async -> String {
        await converse(with: server) { client in
            client.send(text)
            return client.readToEnd().text
        }
    }

    /// The number of this process's sockets with this local port: those of the listener and its connections.
    static func openSockets(ofPort port: UInt16) -> Int {
        (0..<getdtablesize()).count { LoopbackSocket(descriptor: $0).localPort == port }
    }
}

/// Runs blocking work on a separate thread, so that no thread of Swift's pool is blocked.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        ServerThreads.start { continuation.resume(returning: body()) }
    }
}
