import StartSmallSupport
import StartSmallFoundation

/// A TCP socket on 127.0.0.1.
///
/// One thread owns a socket: only the owner reads, writes and releases. Other threads may only ``wake()`` the socket,
/// and only until its release, since the number of a released descriptor can be reused immediately.
struct LoopbackSocket: Sendable {
    /// The maximum number of bytes per read: 64 KiB, the usual capacity of a loopback socket.
    static let readBytes = 64 * 1024

    let descriptor: Int32

    /// Reads arrived bytes, blocking until there are some; returns nil at the end or loss of the connection.
    func receive() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readBytes) { buffer, count in
            count = max(0, retrying { recv(descriptor, buffer.baseAddress, buffer.count, 0) })
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all bytes, blocking while the client does not read; returns false if the connection is lost.
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = retrying { sendQuietly(descriptor, rest) }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    /// Closes the connection gracefully: ends the sending direction, and reads until the client ends the other one.
    ///
    /// Without reading, the kernel would answer the client's remaining bytes with a reset, which can overtake the bytes
    /// sent before.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        while receive() != nil {}
    }

    /// Makes ``release()`` reset the connection.
    func resetOnRelease() {
        set(SOL_SOCKET, SO_LINGER, to: linger(l_onoff: 1, l_linger: 0))
    }

    /// Makes the owner's current and all later calls return immediately.
    func wake() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the descriptor, without a retry even after EINTR, since the number may be reused by then.
    func release() {
        close(descriptor)
    }

    private func set(_ level: some BinaryInteger, _ option: Int32, to value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, Int32(level), option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }
}

extension LoopbackSocket {
    /// The address 127.0.0.1, the only one that is ever used.
    private static let loopback: UInt32 = 0x7F00_0001

    /// Returns a new socket; its descriptor is negative if there is none left.
    static func new() -> LoopbackSocket {
        let made = LoopbackSocket(descriptor: socket(AF_INET, Int32(SOCK_STREAM), 0))
        // The next calls would replace the error of the first one.
        guard made.descriptor >= 0 else { return made }
        _ = fcntl(made.descriptor, F_SETFD, FD_CLOEXEC)
        refuseSIGPIPE(made.descriptor)
        return made
    }

    /// Connects to a port of this machine; returns false if nothing listens there.
    func connect(to port: UInt16) -> Bool {
        withAddress(port) { connectSocket(descriptor, $0, $1) } == 0
    }

    /// Binds and listens, and returns the port that the system chose.
    fileprivate func listenOnLoopback() throws(POSIXError) -> UInt16 {
        guard withAddress(0, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, SOMAXCONN) == 0,
            let port = localPort
        else { throw WritableFile.lastError }
        return port
    }

    /// The socket's own port; nil if the descriptor is no socket of this kind.
    var localPort: UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }

    fileprivate func accepted() -> LoopbackSocket? {
        let connection = LoopbackSocket(descriptor: retrying { accept(descriptor, nil, nil) })
        guard connection.descriptor >= 0 else { return nil }
        _ = fcntl(connection.descriptor, F_SETFD, FD_CLOEXEC)
        refuseSIGPIPE(connection.descriptor)
        connection.set(IPPROTO_TCP, TCP_NODELAY, to: Int32(1))
        return connection
    }

    private func withAddress(_ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = Self.loopback.bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A socket that accepts connections, and another one whose connection wakes the thread that waits for them.
struct LoopbackListener: Sendable {
    /// The pause in microseconds before the next attempt to accept if the process has no descriptor left: 10 ms.
    private static let exhaustionMicroseconds: UInt32 = 10_000

    let port: UInt16
    private let socket: LoopbackSocket
    private let alarm: LoopbackSocket

    /// Opens a socket on 127.0.0.1, on a port that the system chooses.
    static func open() throws(POSIXError) -> LoopbackListener {
        let (socket, alarm) = (LoopbackSocket.new(), LoopbackSocket.new())
        do throws(POSIXError) {
            guard socket.descriptor >= 0, alarm.descriptor >= 0 else { throw WritableFile.lastError }
            // With a full queue of connections, the alarm must not wait, and the waiting thread is awake.
            _ = fcntl(alarm.descriptor, F_SETFL, O_NONBLOCK)
            return LoopbackListener(port: try socket.listenOnLoopback(), socket: socket, alarm: alarm)
        } catch {
            socket.release()
            alarm.release()
            throw error
        }
    }

    /// Waits for a connection; returns nil once the server has stopped and the listener is woken.
    func nextConnection(unless isStopped: () -> Bool) -> LoopbackSocket? {
        while true {
            let connection = socket.accepted()
            if isStopped() {
                // A reset leaves no connection behind that would occupy the port for a while.
                connection?.resetOnRelease()
                connection?.release()
                return nil
            }
            if let connection { return connection }
            usleep(Self.exhaustionMicroseconds)
        }
    }

    func wake() {
        _ = alarm.connect(to: port)
    }

    func release() {
        socket.release()
        alarm.release()
    }
}

private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

/// Writes without raising SIGPIPE to a socket for which `refuseSIGPIPE` was called.
private func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    bytes.baseAddress.map { send(descriptor, $0, bytes.count, quietSendFlags) } ?? 0
}

extension Int32 {
    /// Creates the number of a type of sockets, which is an enumeration in glibc, and a number elsewhere.
    fileprivate init(_ type: some RawRepresentable<UInt32>) { self.init(bitPattern: type.rawValue) }
}
