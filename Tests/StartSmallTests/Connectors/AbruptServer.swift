#if os(Linux)
    import Foundation
    import Glibc
    import StartSmallTesting

    /// Runs a server that answers the head of an upload, and closes the connection with the upload unread, while `body`
    /// runs: its system then resets the connection (RFC 1122 4.2.2.13).
    ///
    /// - Parameters:
    ///   - first: The answer to a first request without a payload on each connection; nil for none.
    ///   - answer: The answer to the upload.
    ///   - body: Calls the server, by its port.
    func withAbruptServer<Result>(
        answering first: String?,
        then answer: String,
        _ body: (_ port: Int) async throws -> Result
    ) async throws -> Result {
        let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw Unexpected("errno \(errno)") }
        let ended = Gate()
        Thread.detachNewThread {
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                if let first, readHead(connection) { write(first, to: connection) }
                if readHead(connection) { write(answer, to: connection) }
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

    /// Reads up to the end of a head, and little of what comes behind; false if the client ends the connection before.
    private func readHead(_ connection: Int32) -> Bool {
        var head: [UInt8] = []
        var byte = [UInt8](repeating: 0, count: 1)
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(connection, &byte, 1, 0) == 1 else { return false }
            head += byte
        }
        return true
    }

    private func write(_ text: String, to connection: Int32) {
        _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
    }
#endif
