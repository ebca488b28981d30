#if os(Linux) && !APPLE_BRANCH
    import Foundation
    import Glibc

    /// A socket on 127.0.0.1 that listens with a full queue: a connection to it is never accepted.
    final class FullListener: Sendable {
        /// Enough sockets to fill a queue of one, however the system rounds its size.
        private static let others = 16

        let url: URL
        private let descriptors: [Int32]

        init() throws {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let listener = Self.socket()
            let isListening = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(listener, address, length) == 0 && listen(listener, 0) == 0
                        && getsockname(listener, address, &length) == 0
                }
            }
            guard isListening else { throw Unexpected("errno \(errno)") }
            guard let url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/") else {
                throw Unexpected(address)
            }
            self.url = url
            descriptors =
                [listener]
                + (0..<Self.others).map { _ in
                    let other = Self.socket()
                    withUnsafePointer(to: &address) { address in
                        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(other, $0, length) }
                    }
                    return other
                }
        }

        deinit { for descriptor in descriptors { close(descriptor) } }

        /// The number of sockets of this process that are connecting, as the system knows each (tcp(7)).
        static var waiting: Int {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            return names.compactMap { Int32($0) }.count { descriptor in
                // The state is the first byte of `struct tcp_info`; 2 is SYN-SENT (RFC 9293 3.3.2).
                var state: UInt8 = 0
                var length = socklen_t(1)
                return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &state, &length) == 0 && state == 2
            }
        }

        private static func socket() -> Int32 {
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        }
    }
#endif
