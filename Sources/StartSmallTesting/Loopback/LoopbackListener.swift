import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that accepts connections, with a pipe that wakes the waiting thread.
struct LoopbackListener: Sendable {
    /// The delay in milliseconds before the next attempt to accept if the process has no descriptor left.
    private static let exhaustionMilliseconds: Int32 = 10

    let port: UInt16
    private let socket: LoopbackSocket
    private let alarm: (reading: Int32, writing: Int32)

    /// Opens a socket on 127.0.0.1, on a port that the system chooses.
    static func open() throws(LoopbackServer.StartError) -> LoopbackListener {
        let socket = LoopbackSocket(descriptor: LoopbackSocket.newDescriptor())
        guard socket.descriptor >= 0 else { throw .init(call: "socket", code: errno) }
        do throws(LoopbackServer.StartError) {
            let port = try socket.listenOnLoopback()
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .init(call: "pipe", code: errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return LoopbackListener(port: port, socket: socket, alarm: (ends[0], ends[1]))
        } catch {
            socket.release()
            throw error
        }
    }

    /// Waits for a connection; returns nil once the listener is woken.
    func nextConnection() -> LoopbackSocket? {
        var isExhausted = false
        while waitForConnection(isExhausted) {
            if let connection = socket.accepted() { return connection }
            isExhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
        }
        return nil
    }

    /// Makes the current and all later calls of ``nextConnection()`` return nil.
    func wake() {
        var byte: UInt8 = 0
        _ = write(alarm.writing, &byte, 1)
    }

    /// Closes the descriptors.
    func release() {
        socket.release()
        close(alarm.reading)
        close(alarm.writing)
    }

    /// Waits for a connection; returns false once the listener is woken.
    private func waitForConnection(_ isExhausted: Bool) -> Bool {
        let all = [alarm.reading, socket.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Connections that can't be accepted stay ready: polling them again immediately would only waste CPU time.
        var waiting = isExhausted ? Array(all.prefix(1)) : all
        _ = poll(&waiting, nfds_t(waiting.count), isExhausted ? Self.exhaustionMilliseconds : -1)
        return waiting[0].revents == 0
    }
}
