#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import Glibc
    import StartSmallTesting

    /// Answers the first connection to a Unix domain socket, while `body` runs.
    func withUnixServer<Result>(answering answer: String, _ body: (_ path: String) async throws -> Result)
        async throws -> Result
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sock").path
        let listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer {
            close(listener)
            unlink(path)
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1))) }
        let isListening = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 1) == 0
            }
        }
        guard isListening else { throw Unexpected("errno \(errno)") }
        let ended = Latch()
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(connection, &request, request.count, 0)
            _ = send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            close(connection)
            ended.open()
        }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(path)) } catch { result = .failure(error) }
        // Wakes an `accept` that still waits; until it has ended, the descriptor's number is not reused.
        shutdown(listener, Int32(SHUT_RDWR))
        await ended.wait()
        return try result.get()
    }
#endif
