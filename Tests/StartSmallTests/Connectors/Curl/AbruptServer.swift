#if os(Linux)
    import Foundation
    import Glibc
    import StartSmallTesting

    /// Runs a server that speaks HTTP/2 from the first byte on (RFC 9113 3.3), and answers each request with 204, while
    /// `body` runs; it serves one connection after another.
    ///
    /// - Parameters:
    ///   - answering: Calls its argument, which sends an answer, on the server's thread.
    ///   - body: Calls the server, by its port.
    func withHTTP2Server<Result>(
        answering: @escaping @Sendable (_ answer: () -> Void) -> Void = { $0() },
        _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result {
        try await withServer(body) { connection in
            // The connection preface ends with a second blank line.
            guard readHead(connection), read(6, from: connection) != nil else { return }
            var settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
            send(connection, settings, settings.count, Int32(MSG_NOSIGNAL))
            while let head = read(9, from: connection) {
                let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
                guard read(length, from: connection) != nil else { return }
                if head[3] == 4, head[4] & 1 == 0 {
                    settings[4] = 1
                    send(connection, settings, settings.count, Int32(MSG_NOSIGNAL))
                } else if head[3] == 1 {
                    // HEADERS, the last frame of its stream: `:status: 204` is entry 9 of the static table (RFC 7541
                    // Appendix A).
                    let answer: [UInt8] = [0, 0, 1, 1, 5] + head[5...] + [0x89]
                    answering { send(connection, answer, answer.count, Int32(MSG_NOSIGNAL)) }
                }
            }
        }
    }

    /// Runs a server whose system answers no further connections, as the server accepts none of the waiting ones, while
    /// `body` runs.
    func withSilentServer<Result>(at host: UInt32, _ body: (_ port: Int) async throws -> Result) async throws -> Result
    {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let clients = (0..<8).map { _ in
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        defer { for socket in clients + [listener] { close(socket) } }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, size) == 0, listen(listener, 0) == 0 else { return false }
                guard getsockname(listener, address, &size) == 0 else { return false }
                for client in clients { _ = connect(client, address, size) }
                return true
            }
        }
        guard isListening else { throw Unexpected("errno \(errno)") }
        return try await body(Int(address.sin_port.bigEndian))
    }

    /// Runs a server that calls `serve` with each connection, one after another, while `body` runs.
    func withServer<Result>(
        at host: UInt32 = 0x7f00_0001,
        port: Int = 0,
        _ body: (_ port: Int) async throws -> Result,
        serving serve: @escaping @Sendable (_ connection: Int32) -> Void
    ) async throws -> Result {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw Unexpected("errno \(errno)") }
        let ended = Latch()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                serve(connection)
                close(connection)
            }
            ended.open()
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(Int(address.sin_port.bigEndian))) } catch { result = .failure(error) }
        shutdown(listener, Int32(SHUT_RDWR))
        await ended.wait()
        return try result.get()
    }

    /// Reads up to the end of a head, and a little of what follows; false if the client closes the connection before.
    func readHead(_ connection: Int32) -> Bool {
        var head: [UInt8] = []
        var byte = [UInt8](repeating: 0, count: 1)
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(connection, &byte, 1, 0) == 1 else { return false }
            head += byte
        }
        return true
    }

    /// Reads `count` bytes; nil if the client closes the connection before.
    private func read(_ count: Int, from connection: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = count == 0 ? 0 : recv(connection, &bytes, count, Int32(MSG_WAITALL))
        return received == count ? bytes : nil
    }

    func write(_ text: String, to connection: Int32) {
        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }
#endif
