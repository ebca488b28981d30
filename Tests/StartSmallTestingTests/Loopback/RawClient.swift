import Foundation

@testable import StartSmallTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A connection to a loopback server with blocking calls for single bytes, only for use in ``onThread(_:)``.
struct RawClient: Sendable {
    let descriptor: Int32
    let isConnected: Bool

    init(port: UInt16) {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        precondition(descriptor >= 0, "socket: \(errno)")
        LoopbackSocket(descriptor: descriptor).refuseSIGPIPE()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        self.descriptor = descriptor
        isConnected = connected == 0
    }

    func send(_ text: String) {
        sendBytes(Array(text.utf8))
    }

    /// Sends bytes, and returns false if the connection is lost before all of them are sent.
    @discardableResult
    func sendBytes(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { sendQuietly(descriptor, $0) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads until the end of the connection, and returns the error code of its end; 0 for an orderly end.
    func readToEnd() -> (text: String, error: Int32) {
        var all: [UInt8] = []
        while true {
            let (bytes, error) = readSome()
            guard !bytes.isEmpty else { return (HTTP1Lines.text(all), error) }
            all += bytes
        }
    }

    /// Reads exactly as many bytes as the text has, or fewer if the connection ends.
    func read(_ count: Int) -> String {
        var all: [UInt8] = []
        while all.count < count {
            let (bytes, _) = readSome(upTo: count - all.count)
            if bytes.isEmpty { break }
            all += bytes
        }
        return HTTP1Lines.text(all)
    }

    /// Counts the bytes up to the end of the connection.
    func countToEnd() -> Int {
        var count = 0
        while true {
            let (bytes, _) = readSome(upTo: 1 << 20)
            guard !bytes.isEmpty else { return count }
            count += bytes.count
        }
    }

    /// Shuts down the sending side of the connection.
    func endOutput() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    func end() {
        close(descriptor)
    }

    private func readSome(upTo limit: Int = 65_536) -> (bytes: [UInt8], error: Int32) {
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = recv(descriptor, buffer.baseAddress, limit, 0)
            error = result < 0 ? errno : 0
            count = max(0, result)
        }
        return (bytes, error)
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
}

extension RawClient {
    /// The number of this process's sockets with this local port: those of the listener and its connections.
    static func openSockets(ofPort port: UInt16) -> Int {
        (0..<getdtablesize()).count { descriptor in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let named = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return named == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
        }
    }
}

/// Runs blocking work on a separate thread, so that no thread of Swift's pool is blocked.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        let isStarted = POSIXThread.start(stackBytes: 256 * 1024) { continuation.resume(returning: body()) }
        precondition(isStarted, "no thread")
    }
}
