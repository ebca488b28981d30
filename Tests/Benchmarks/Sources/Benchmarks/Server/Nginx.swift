#if os(Linux)
    import Foundation
    import StartSmallTesting

    /// An nginx for the benchmark: with its own folder, on a free port, and ended with the benchmark, however that
    /// ends.
    struct Nginx {
        /// The base URL of the server.
        let root: URL

        /// The base URL of the server with TLS, which offers HTTP/2.
        let secureRoot: URL

        /// The folder of the server's files, which is removed with it.
        let folder: URL

        /// The path of the program, or nil if it is not installed.
        static var installed: String? {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            // Folders of system programs are not in every user's path.
            let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
            return folders.map { $0 + "/nginx" }.first(where: FileManager.default.isExecutableFile)
        }

        /// Calls `body` while nginx runs.
        static func running(_ program: String, _ body: (Nginx) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "startsmall-nginx-\(UUID().uuidString)"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Servers that run at the same time have different ports.
            let servers = try (0..<2).map { _ in try LoopbackServer.start { _ in [] } }
            let (port, securePort) = (servers[0].port, servers[1].port)
            for server in servers { server.stop() }
            try certify(in: folder)
            try configuration(port, securePort).write(
                to: folder.appendingPathComponent("nginx.conf"),
                atomically: true,
                encoding: .utf8
            )
            try Zeros.write(largeBytes, to: folder.appendingPathComponent(largeFile))
            let leash = Pipe()
            let process = try start(program, folder, leash)
            defer {
                try? leash.fileHandleForWriting.close()
                process.waitUntilExit()
            }
            try wait(in: folder)
            guard let root = URL(string: "http://127.0.0.1:\(port)"),
                let secureRoot = URL(string: "https://127.0.0.1:\(securePort)")
            else { return }
            try body(Nginx(root: root, secureRoot: secureRoot, folder: folder))
        }

        /// A script for a shell that starts nginx, and ends it when the shell's input ends: even if this process is
        /// killed.
        ///
        /// `$1` is the folder, `$2` the program. An interrupt from the terminal is for this process, not for the shell.
        /// There is no `wait`: a thread of Dispatch may have started the shell with `SIGCHLD` blocked, and it would
        /// wait for ever.
        private static let keeper = """
            trap '' INT HUP TERM
            ulimit -n "$(ulimit -Hn)"
            "$2" -p "$1" -c nginx.conf 2>"$1/log" &
            read -r _
            kill -KILL $! 2>/dev/null
            rm -rf "$1"
            """

        private static func start(_ program: String, _ folder: URL, _ leash: Pipe) throws -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", keeper, "nginx of the benchmark", folder.path, program]
            process.standardInput = leash
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            return process
        }

        /// Creates a certificate for the server, with the program `openssl`.
        private static func certify(in folder: URL) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
                + ["-keyout", keyFile, "-out", certificateFile, "-days", "2", "-subj", "/CN=127.0.0.1"]
                + ["-addext", "subjectAltName=IP:127.0.0.1"]
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { throw NoServer(description: "openssl made no certificate") }
        }

        /// Waits until nginx listens, after which it writes the number of its process.
        ///
        /// - Throws: An error with the log if nginx does not within five seconds.
        private static func wait(in folder: URL) throws {
            for _ in 0..<500 {
                if FileManager.default.fileExists(atPath: folder.appendingPathComponent("pid").path) { return }
                usleep(10_000)
            }
            let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
            throw NoServer(description: "nginx does not answer: \(log ?? "")")
        }

        private struct NoServer: Error, CustomStringConvertible {
            let description: String
        }
    }

    // MARK: routes

    extension Nginx {
        static let largeFile = "large"
        static let largeBytes = 256 << 20
        fileprivate static let keyFile = "key.pem"
        fileprivate static let certificateFile = "certificate.pem"

        /// The small JSON.
        var user: URL { root.appendingPathComponent("user") }

        /// The small JSON over TLS.
        var secureUser: URL { secureRoot.appendingPathComponent("user") }

        /// The certificate of the server with TLS.
        var certificate: URL { folder.appendingPathComponent(Self.certificateFile) }

        /// A file of ``largeBytes``.
        var large: URL { root.appendingPathComponent(Self.largeFile) }

        /// Accepts any payload by POST, and answers after the last byte with the number of bytes.
        var upload: URL { root.appendingPathComponent("upload") }

        /// Returns a configuration with one process.
        ///
        /// The machines of CI have two cores, one for the server and one for the client, and only the client is
        /// measured. Only the client closes connections, and no unread log is written.
        ///
        /// `return` alone would answer an upload before reading it. So the payload is read into memory first, and then
        /// the server requests its length from itself.
        private static func configuration(_ port: UInt16, _ securePort: UInt16) -> String {
            """
            daemon off;
            master_process off;
            error_log stderr error;
            pid pid;
            events {
                worker_connections 16384;
                multi_accept on;
            }
            http {
                access_log off;
                sendfile on;
                tcp_nodelay on;
                keepalive_requests 1000000000;
                keepalive_timeout 1h;
                client_max_body_size 0;
                client_body_temp_path client_body;
                proxy_temp_path proxy;
                fastcgi_temp_path fastcgi;
                uwsgi_temp_path uwsgi;
                scgi_temp_path scgi;
                root .;
                server {
                    listen 127.0.0.1:\(port) backlog=16384;
                    listen 127.0.0.1:\(securePort) ssl http2 backlog=16384;
                    ssl_certificate \(certificateFile);
                    ssl_certificate_key \(keyFile);
                    location = /user {
                        default_type application/json;
                        return 200 '{"id":1124024,"login":"Kuniwak"}';
                    }
                    location = /upload {
                        client_body_buffer_size \(largeBytes + 4096);
                        proxy_pass_request_body off;
                        proxy_set_header Content-Length 0;
                        proxy_set_header X-Bytes $request_length;
                        proxy_pass http://127.0.0.1:\(port)/counted;
                    }
                    location = /counted {
                        default_type text/plain;
                        return 200 $http_x_bytes;
                    }
                }
            }
            """
        }
    }
#endif
