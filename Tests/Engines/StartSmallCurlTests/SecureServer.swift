#if os(Linux)
    import CCurl
    import Foundation
    import Glibc
    import StartSmallTesting
    import TestSupport
    import Testing

    /// A server that speaks HTTP/2 over TLS, frame by frame, or HTTP/1.1: a test decides what it sends, and when.
    ///
    /// Over TLS, all versions of libcurl share connections. The server uses the system's OpenSSL, which it loads when
    /// it is first needed, and a certificate that `openssl` makes.
    enum SecureServer {
        /// A frame (RFC 9113 4.1).
        struct Frame: Sendable {
            enum Kind {
                static let data: UInt8 = 0
                static let head: UInt8 = 1
                static let reset: UInt8 = 3
                static let settings: UInt8 = 4
                static let ping: UInt8 = 6
                static let goAway: UInt8 = 7
            }

            var kind: UInt8
            var flags: UInt8 = 0
            var stream: UInt32 = 0
            var payload: [UInt8] = []

            var isRequest: Bool { kind == Kind.head }
            var isReset: Bool { kind == Kind.reset }
            var isPingAnswer: Bool { kind == Kind.ping && flags == 1 }

            /// A head without a payload: `:status: 204` is entry 9 of the static table (RFC 7541 A).
            static func noContent(_ stream: UInt32) -> Frame {
                Frame(kind: Kind.head, flags: 5, stream: stream, payload: [0x89])
            }

            /// A head before a payload: `:status: 200` is entry 8 of the static table.
            static func ok(_ stream: UInt32) -> Frame {
                Frame(kind: Kind.head, flags: 4, stream: stream, payload: [0x88])
            }

            /// A head with any status, and perhaps a length of one digit: names 8 and 28 of the static table.
            static func status(_ status: String, length: String = "", _ stream: UInt32, isLast: Bool) -> Frame {
                let fields = [0x08, 3] + Array(status.utf8) + (length.isEmpty ? [] : [0x0f, 0x0d, 1] + length.utf8)
                return Frame(kind: Kind.head, flags: isLast ? 5 : 4, stream: stream, payload: fields)
            }

            static let ping = Frame(kind: Kind.ping, payload: [UInt8](repeating: 0, count: 8))

            static func data(_ text: String, _ stream: UInt32, isLast: Bool = false) -> Frame {
                Frame(kind: Kind.data, flags: isLast ? 1 : 0, stream: stream, payload: Array(text.utf8))
            }

            static func reset(_ stream: UInt32, _ code: UInt8) -> Frame {
                Frame(kind: Kind.reset, stream: stream, payload: [0, 0, 0, code])
            }

            /// The end of the connection, with the last stream that the server may process (RFC 9113 6.8).
            static func goAway(last: UInt32, _ code: UInt8 = 0) -> Frame {
                Frame(kind: Kind.goAway, payload: bytes(of: last) + [0, 0, 0, code])
            }

            /// Settings of the server (RFC 9113 6.5.2).
            static func settings() -> Frame { Frame(kind: Kind.settings) }

            /// One setting of the server, by its number.
            static func setting(_ name: UInt8, to value: UInt8) -> Frame {
                Frame(kind: Kind.settings, payload: [0, name, 0, 0, 0, value])
            }

            fileprivate var bytes: [UInt8] {
                let length = Array(Self.bytes(of: UInt32(payload.count)).dropFirst())
                return length + [kind, flags] + Self.bytes(of: stream) + payload
            }

            private static func bytes(of number: UInt32) -> [UInt8] {
                withUnsafeBytes(of: number.bigEndian) { Array($0) }
            }
        }

        /// A connection after its handshake and the client's preface; for one thread.
        struct Connection {
            /// The number of the connection: 0 for the first one.
            let index: Int
            fileprivate let session: OpenSSL.Handle
            fileprivate let descriptor: Int32

            /// Ends the connection, without the alert that ends TLS.
            func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

            func send(_ frames: Frame...) { send(frames) }

            func send(_ frames: [Frame]) {
                let bytes = frames.flatMap(\.bytes)
                _ = OpenSSL.write(session, bytes, Int32(bytes.count))
            }

            /// Sends a text over HTTP/1.1.
            func send(_ text: String) { _ = OpenSSL.write(session, text, Int32(text.utf8.count)) }

            /// Reads up to the end of a head of HTTP/1.1; false at the end of the connection.
            func readHead() -> Bool {
                var head: [UInt8] = []
                while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                    guard let byte = read(1) else { return false }
                    head += byte
                }
                return true
            }

            /// Reads the next frame, and confirms settings; nil at the end of the connection.
            func read() -> Frame? {
                while let head = read(9) {
                    let length = head[..<3].reduce(0) { $0 << 8 | Int($1) }
                    guard let payload = length == 0 ? [] : read(length) else { return nil }
                    let stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) }
                    let frame = Frame(kind: head[3], flags: head[4], stream: stream, payload: payload)
                    guard frame.kind == Frame.Kind.settings else { return frame }
                    if frame.flags & 1 == 0 { send(Frame(kind: Frame.Kind.settings, flags: 1)) }
                }
                return nil
            }

            /// Reads up to the next request, and returns its stream; nil at the end of the connection.
            func readRequest() -> UInt32? { readUntil(\.isRequest)?.stream }

            /// Reads up to the end of the next request, and returns its stream; nil at the end of the connection.
            func readWholeRequest() -> UInt32? {
                guard let head = readUntil(\.isRequest) else { return nil }
                let isLast = { (frame: Frame) in frame.stream == head.stream && frame.flags & 1 != 0 }
                return isLast(head) || readUntil(isLast) != nil ? head.stream : nil
            }

            func readUntil(_ isWanted: (Frame) -> Bool) -> Frame? {
                while let frame = read() { if isWanted(frame) { return frame } }
                return nil
            }

            fileprivate func read(_ count: Int) -> [UInt8]? {
                var bytes: [UInt8] = []
                while bytes.count < count {
                    var part = [UInt8](repeating: 0, count: count - bytes.count)
                    let received = OpenSSL.read(session, &part, Int32(part.count))
                    if received <= 0 { return nil }
                    bytes += part.prefix(Int(received))
                }
                return bytes
            }
        }

        /// Whether the server can run: with OpenSSL as a library and as a program.
        static let isAvailable = OpenSSL.isLoaded && FileManager.default.isExecutableFile(atPath: program)
        private static let program = "/usr/bin/openssl"

        /// Runs the server while `body` runs; a connection stays open until then, even if `serve` returns before.
        ///
        /// - Parameters:
        ///   - isHTTP2: whether the server chooses HTTP/2, and reads its preface.
        ///   - version: the version of TLS, such as `0x0304` for 1.3; nil for that which the client prefers.
        ///   - body: calls the server, by its URL and the file of its certificate.
        ///   - serve: serves a connection, on a thread of its own.
        /// - Returns: The result of `body`, and the number of connections.
        static func running<Result>(
            isHTTP2: Bool = true,
            version: Int? = nil,
            _ body: (_ url: URL, _ caFile: URL) async throws -> Result,
            serving serve: @escaping @Sendable (Connection) -> Void
        ) async throws -> (result: Result, connections: Int) {
            try await withFolder { folder async throws in
                let (key, certificate) = (folder.appending(path: "key.pem"), folder.appending(path: "cert.pem"))
                try makeCertificate(certificate, key: key)
                let context = try OpenSSL.context(certificate.path, key.path, isHTTP2, version)
                defer { OpenSSL.freeContext(context) }
                let connections = Connections()
                let result: Result
                do {
                    result = try await withServer { port in
                        defer { connections.shutDown() }
                        return try await body(try #require(URL(string: "https://127.0.0.1:\(port)/")), certificate)
                    } serving: { accepted in
                        // The caller closes its descriptor when this function returns.
                        let descriptor = dup(accepted)
                        // Bytes are not held back until the client has confirmed those before (RFC 9293 3.7.4).
                        var isOn: Int32 = 1
                        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
                        let index = connections.begin(descriptor)
                        Thread.detachNewThread {
                            // A client that has gone is not the end of this process.
                            let signals = ccurl_hold_signals()
                            let session = OpenSSL.accept(descriptor, in: context)
                            let prefaceLength = 24
                            if let session {
                                let connection = Connection(index: index, session: session, descriptor: descriptor)
                                if !isHTTP2 || connection.read(prefaceLength) != nil { serve(connection) }
                            }
                            ccurl_release_signals(signals)
                            connections.end(session)
                        }
                    }
                } catch {
                    _ = await connections.close()
                    throw error
                }
                return (result, await connections.close())
            }
        }

        private static func makeCertificate(_ certificate: URL, key: URL) throws {
            let openssl = Process()
            openssl.executableURL = URL(filePath: program)
            let arguments = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 1 -subj /CN=localhost"
            openssl.arguments =
                arguments.split(separator: " ").map(String.init)
                + ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.path, "-out", certificate.path]
            openssl.standardError = FileHandle.nullDevice
            // The program does not run with the libraries of another libcurl, which may be loaded here.
            openssl.environment = ProcessInfo.processInfo.environment.filter { $0.key != "LD_LIBRARY_PATH" }
            try openssl.run()
            openssl.waitUntilExit()
            if openssl.terminationStatus != 0 { throw Unexpected("openssl: \(openssl.terminationStatus)") }
        }
    }

    /// The connections of a server, which stay open until the end of a test.
    fileprivate final class Connections: @unchecked Sendable {
        private let lock = NSLock()
        private let serving = DispatchGroup()
        private var descriptors: [Int32] = []
        private var sessions: [OpenSSL.Handle] = []

        /// Adds a connection, and returns its number.
        func begin(_ descriptor: Int32) -> Int {
            serving.enter()
            return lock.withLock {
                descriptors.append(descriptor)
                return descriptors.count - 1
            }
        }

        /// Notes that a connection is served no more.
        func end(_ session: OpenSSL.Handle?) {
            lock.withLock { if let session { sessions.append(session) } }
            serving.leave()
        }

        /// Ends the connections, so that no thread waits for a client.
        func shutDown() {
            lock.withLock { for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) } }
        }

        /// Waits until no connection is served, frees all of them, and returns their number.
        func close() async -> Int {
            await withCheckedContinuation { done in serving.notify(queue: .global()) { done.resume() } }
            return lock.withLock {
                for session in sessions { OpenSSL.free(session) }
                for descriptor in descriptors { Glibc.close(descriptor) }
                return descriptors.count
            }
        }
    }

    /// The functions of OpenSSL 3 that a server needs.
    fileprivate enum OpenSSL {
        /// A context or a session, which one thread uses at a time.
        struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

        private typealias Pointer = OpaquePointer?
        private typealias Choose =
            @convention(c) (
                Pointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt8>,
                UnsafePointer<UInt8>?,
                UInt32, UnsafeMutableRawPointer?
            ) -> Int32

        nonisolated(unsafe) private static let library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL)

        static var isLoaded: Bool { library != nil }

        private static func function<Function>(_ name: String, _: Function.Type = Function.self) -> Function {
            unsafeBitCast(dlsym(library, name), to: Function.self)
        }

        /// The protocol that the server chooses (RFC 7301 3.1).
        nonisolated(unsafe) private static let protocolName: UnsafePointer<UInt8> = {
            let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 2)
            (bytes[0], bytes[1]) = (UInt8(ascii: "h"), UInt8(ascii: "2"))
            return UnsafePointer(bytes)
        }()

        static func context(_ certificate: String, _ key: String, _ isHTTP2: Bool, _ version: Int?) throws -> Handle {
            let method: @convention(c) () -> Pointer = function("TLS_server_method")
            let make: @convention(c) (Pointer) -> Pointer = function("SSL_CTX_new")
            typealias UseFile = @convention(c) (Pointer, UnsafePointer<CChar>, Int32) -> Int32
            let useCertificate: UseFile = function("SSL_CTX_use_certificate_file")
            let useKey: UseFile = function("SSL_CTX_use_PrivateKey_file")
            let setChoice: @convention(c) (Pointer, Choose, UnsafeMutableRawPointer?) -> Void =
                function("SSL_CTX_set_alpn_select_cb")
            let pem: Int32 = 1
            guard let context = make(method()), useCertificate(context, certificate, pem) == 1,
                useKey(context, key, pem) == 1
            else { throw Unexpected("no TLS context") }
            let choose: Choose = { _, name, length, _, _, _ in
                name.pointee = OpenSSL.protocolName
                length.pointee = 2
                return 0
            }
            if isHTTP2 { setChoice(context, choose, nil) }
            let control: @convention(c) (Pointer, Int32, Int, UnsafeMutableRawPointer?) -> Int =
                function("SSL_CTX_ctrl")
            // SSL_CTRL_SET_MIN_PROTO_VERSION and SSL_CTRL_SET_MAX_PROTO_VERSION of openssl/ssl.h.
            if let version { for number: Int32 in [123, 124] { _ = control(context, number, version, nil) } }
            return Handle(pointer: context)
        }

        static func freeContext(_ context: Handle) {
            let free: @convention(c) (Pointer) -> Void = function("SSL_CTX_free")
            free(context.pointer)
        }

        /// Accepts the handshake of a client; nil if the handshake fails.
        static func accept(_ descriptor: Int32, in context: Handle) -> Handle? {
            let make: @convention(c) (Pointer) -> Pointer = function("SSL_new")
            let use: @convention(c) (Pointer, Int32) -> Int32 = function("SSL_set_fd")
            let accept: @convention(c) (Pointer) -> Int32 = function("SSL_accept")
            guard let session = make(context.pointer).map({ Handle(pointer: $0) }) else { return nil }
            if use(session.pointer, descriptor) == 1, accept(session.pointer) == 1 { return session }
            free(session)
            return nil
        }

        static func free(_ session: Handle) {
            let free: @convention(c) (Pointer) -> Void = function("SSL_free")
            free(session.pointer)
        }

        static func read(_ session: Handle, _ bytes: UnsafeMutableRawPointer, _ count: Int32) -> Int32 {
            let read: @convention(c) (Pointer, UnsafeMutableRawPointer, Int32) -> Int32 = function("SSL_read")
            return read(session.pointer, bytes, count)
        }

        static func write(_ session: Handle, _ bytes: UnsafeRawPointer, _ count: Int32) -> Int32 {
            let write: @convention(c) (Pointer, UnsafeRawPointer, Int32) -> Int32 = function("SSL_write")
            return write(session.pointer, bytes, count)
        }
    }
#endif
