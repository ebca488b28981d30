#if os(Linux)
    import Foundation

    /// A port on this machine.
    enum Port {
        struct NoServer: Error, CustomStringConvertible {
            let description: String
        }

        /// Returns a free port.
        static func free() throws -> UInt16 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { throw NoServer(description: "no socket is available") }
            defer { close(descriptor) }
            var (address, size) = (loopback(0), socklen_t(MemoryLayout<sockaddr_in>.size))
            let result = withUnsafeMutablePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 ? getsockname(descriptor, address, &size) : -1
                }
            }
            guard result == 0 else { throw NoServer(description: "no port is available") }
            return UInt16(bigEndian: address.sin_port)
        }

        /// Waits until a server listens on the port.
        ///
        /// - Throws: An error with the text of `log` if no server does within five seconds.
        static func wait(for port: UInt16, log: () -> String) throws {
            for _ in 0..<500 {
                if isOpen(port) { return }
                usleep(10_000)
            }
            throw NoServer(description: "nginx does not answer: \(log())")
        }

        private static func isOpen(_ port: UInt16) -> Bool {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            var address = loopback(port)
            return withUnsafePointer(to: &address) { address in
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }

        private static func loopback(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
            return address
        }
    }
#endif
