#if os(Linux)
    import Foundation
    import Glibc
    import StartSmallTesting
    import TestSupport

    /// Runs a server that speaks HTTP/2 from the first byte on (RFC 9113 3.3), and answers each request with 204, while
    /// `body` runs; it serves one connection after another.
    func withHTTP2Server<Result>(_ body: (_ port: Int) async throws -> Result) async throws -> Result {
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
                    send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// Runs a server whose system answers no further connections, as the server accepts none of the waiting ones, while
    /// `body` runs.
    func withSilentServer<Result>(at host: UInt32, _ body: (_ port: Int) async throws -> Result) async throws -> Result
    {
        var (listener, address) = try listening(at: address(of: host), AF_INET, backlog: 0)
        let clients = (0..<8).map { _ in
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        }
        defer { for socket in clients + [listener] { close(socket) } }
        withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                for client in clients { _ = connect(client, address, socklen_t(MemoryLayout<sockaddr_in>.size)) }
            }
        }
        return try await body(Int(address.sin_port.bigEndian))
    }

    /// Runs a server that calls `serve` with each connection, one after another, while `body` runs.
    func withServer<Result>(
        at host: UInt32 = 0x7f00_0001,
        port: Int = 0,
        _ body: (_ port: Int) async throws -> Result,
        serving serve: @escaping @Sendable (_ connection: Int32) -> Void
    ) async throws -> Result {
        let (listener, address) = try listening(at: address(of: host, port), AF_INET)
        return try await accepting(on: listener) {
            try await body(Int(address.sin_port.bigEndian))
        } serving: {
            serve($0)
        }
    }

    /// Runs a server at an IPv6 address in a zone, which answers each connection with 204, while `body` runs; returns
    /// what it has received first.
    func withServer(
        at text: String,
        inZone scope: UInt32,
        _ body: (_ port: Int) async throws -> Void
    ) async throws -> Data? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_scope_id = scope
        guard inet_pton(AF_INET6, text, &address.sin6_addr) == 1 else { throw Unexpected(text) }
        let (listener, bound) = try listening(at: address, AF_INET6)
        let received = Recorder<Data>()
        try await accepting(on: listener) {
            try await body(Int(bound.sin6_port.bigEndian))
        } serving: { connection in
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(connection, &bytes, bytes.count, 0)
            received.append(Data(bytes.prefix(max(0, count))))
            write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n", to: connection)
        }
        return received.elements.first
    }

    /// Answers each connection to a Unix domain socket, while `body` runs.
    func withUnixServer<Result>(answering answer: String, _ body: (_ path: String) async throws -> Result)
        async throws -> Result
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sock").path
        defer { unlink(path) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1))) }
        return try await accepting(on: try listening(at: address, AF_UNIX).0) {
            try await body(path)
        } serving: {
            if readHead($0) { write(answer, to: $0) }
        }
    }

    private func address(of host: UInt32, _ port: Int = 0) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = host.bigEndian
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        return address
    }

    /// Returns a socket that listens, and its address.
    private func listening<Address>(
        at address: Address,
        _ family: Int32,
        backlog: Int32 = 16
    ) throws -> (Int32, Address) {
        let listener = Glibc.socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var (address, size) = (address, socklen_t(MemoryLayout<Address>.size))
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, backlog) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw Unexpected("errno \(errno)") }
        return (listener, address)
    }

    /// Accepts connections while `body` runs, and closes the listener.
    private func accepting<Result>(
        on listener: Int32,
        _ body: () async throws -> Result,
        serving serve: @escaping @Sendable (_ connection: Int32) -> Void
    ) async throws -> Result {
        let ended = Latch()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                serve(connection)
                close(connection)
            }
            ended.open()
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        // Wakes an `accept` that still waits; until it has ended, the descriptor's number is not reused.
        shutdown(listener, Int32(SHUT_RDWR))
        await ended.wait()
        close(listener)
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
