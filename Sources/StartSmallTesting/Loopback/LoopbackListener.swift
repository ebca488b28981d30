import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that takes connections, and the pipe that wakes the thread that waits for them.
struct LoopbackListener: Sendable {
    /// How long to wait before taking connections again when the process has no descriptor left.
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

    /// Waits for a connection; nil once the listener is woken.
    func nextConnection() -> LoopbackSocket? {
        var isExhausted = false
        while waitForConnection(isExhausted) {
            if let connection = socket.accepted() { return connection }
            isExhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
        }
        return nil
    }

    /// Makes ``nextConnection()`` return nil: now, and from now on.
    func wake() {
        var byte: UInt8 = 0
        _ = write(alarm.writing, &byte, 1)
    }

    /// Gives the descriptors back.
    func release() {
        socket.release()
        close(alarm.reading)
        close(alarm.writing)
    }

    /// False once the listener is woken.
    private func waitForConnection(_ isExhausted: Bool) -> Bool {
        let all = [alarm.reading, socket.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Connections that can't be taken stay ready: looking at them again at once would only burn the processor.
        var waiting = isExhausted ? Array(all.prefix(1)) : all
        _ = poll(&waiting, nfds_t(waiting.count), isExhausted ? Self.exhaustionMilliseconds : -1)
        return waiting[0].revents == 0
    }
}
