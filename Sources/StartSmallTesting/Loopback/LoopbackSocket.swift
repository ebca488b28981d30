import Foundation

#if os(Linux) && APPLE_BRANCH
    import StartSmall
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

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
            count = max(0, Self.retrying { recv(descriptor, buffer.baseAddress, buffer.count, 0) })
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes all bytes, blocking while the client does not read; returns false if the connection is lost.
    func send(_ data: Data) -> Bool {
        data.withUnsafeBytes { buffer in
            var sent = 0
            while sent < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[sent...])
                let count = Self.retrying { sendQuietly(descriptor, rest) }
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

    /// Makes a write to a lost connection fail with an error instead of a signal, which would end the process.
    ///
    /// Darwin has no `MSG_NOSIGNAL` for a single write; Linux has no such option for the socket.
    func refuseSIGPIPE() {
        #if !os(Linux) || APPLE_BRANCH
            set(SOL_SOCKET, SO_NOSIGPIPE, to: Int32(1))
        #endif
    }

    private func set(_ level: some BinaryInteger, _ option: Int32, to value: some BitwiseCopyable) {
        withUnsafeBytes(of: value) { bytes in
            _ = setsockopt(descriptor, Int32(level), option, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    /// Repeats a call while signals interrupt it.
    private static func retrying<Count: SignedInteger>(_ call: () -> Count) -> Count {
        while true {
            let count = call()
            if count != -1 || errno != EINTR { return count }
        }
    }
}

extension LoopbackSocket {
    /// The address 127.0.0.1, the only one that is ever bound.
    private static let loopback: UInt32 = 0x7F00_0001

    static func newDescriptor() -> Int32 {
        #if canImport(Glibc)
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    /// Binds and listens in non-blocking mode, and returns the port.
    func listenOnLoopback() throws(LoopbackServer.StartError) -> UInt16 {
        // Connections inherit the option, so that each is protected even before it is accepted.
        refuseSIGPIPE()
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = Self.loopback.bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = Self.withGeneric(&address) { bind(descriptor, $0, length) }
        guard bound == 0 else { throw .init(call: "bind", code: errno) }
        guard listen(descriptor, SOMAXCONN) == 0 else { throw .init(call: "listen", code: errno) }
        let named = Self.withGeneric(&address) { getsockname(descriptor, $0, &length) }
        guard named == 0 else { throw .init(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Accepts a waiting connection, if there is one.
    func accepted() -> LoopbackSocket? {
        let connection = LoopbackSocket(descriptor: Self.retrying { accept(descriptor, nil, nil) })
        guard connection.descriptor >= 0 else { return nil }
        _ = fcntl(connection.descriptor, F_SETFD, FD_CLOEXEC)
        // Unlike on Linux, a connection on Darwin inherits the listener's O_NONBLOCK, and there is no MSG_NOSIGNAL.
        _ = fcntl(connection.descriptor, F_SETFL, 0)
        connection.refuseSIGPIPE()
        connection.set(IPPROTO_TCP, TCP_NODELAY, to: Int32(1))
        return connection
    }

    private static func withGeneric(_ address: inout sockaddr_in, _ call: (UnsafeMutablePointer<sockaddr>) -> Int32)
        -> Int32
    {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1, call)
        }
    }
}

/// Writes without raising SIGPIPE.
///
/// On Apple platforms, ``LoopbackSocket/refuseSIGPIPE()`` must have been called on the socket.
func sendQuietly(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if os(Linux) && !APPLE_BRANCH
        send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
    #else
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    #endif
}
