import Foundation
import NIOCore
import NIOPosix

/// Tinyproxy on 127.0.0.1, an independent proxy, in a separate process.
struct Tinyproxy: Sendable {
    /// The proxy's URL, without user and password.
    let url: String

    private let log: URL

    /// The requests to the proxy, one per line, such as `GET http://127.0.0.1:2/ HTTP/1.1`.
    var asked: [String] {
        let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
        let requests = lines.compactMap { $0.firstMatch(of: /Request \(file descriptor [0-9]+\): (.*)/) }
        return requests.map { String($0.output.1) }
    }

    /// The path of the program, if it is installed.
    static let installed = ["/usr/bin/tinyproxy", "/usr/local/bin/tinyproxy", "/opt/homebrew/bin/tinyproxy"]
        .first(where: FileManager.default.isExecutableFile)

    struct NotRunning: Error { var said: String }

    /// Runs the proxy while `body` runs, in a folder that is removed with everything in it.
    static func running<Result>(
        user: (name: String, password: String)? = nil,
        _ body: (Tinyproxy) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (configuration, log) = (folder.appending(path: "conf"), folder.appending(path: "log"))
        let port = try await freePort()
        var lines = ["Port \(port)", "Listen 127.0.0.1", "LogFile \"\(log.path)\"", "LogLevel Connect", "Timeout 30"]
        if let user { lines.append("BasicAuth \(user.name) \(user.password)") }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: configuration)
        let (process, said) = (Process(), folder.appending(path: "said"))
        try Data().write(to: said)
        process.executableURL = URL(filePath: installed ?? "")
        process.arguments = ["-d", "-c", configuration.path]
        let output = try FileHandle(forWritingTo: said)
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        defer {
            // The process may ignore SIGTERM, and has nothing to lose.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        while try await !accepts(port) {
            if !process.isRunning { throw NotRunning(said: (try? String(contentsOf: said, encoding: .utf8)) ?? "") }
        }
        return try await body(Tinyproxy(url: "http://127.0.0.1:\(port)", log: log))
    }

    /// A free port.
    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0).get()
        defer { channel.close(promise: nil) }
        return channel.localAddress?.port ?? 0
    }

    /// Whether a server listens on the port.
    private static func accepts(_ port: Int) async throws -> Bool {
        let bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
        guard let channel = try? await bootstrap.connect(host: "127.0.0.1", port: port).get() else {
            try Task.checkCancellation()
            return false
        }
        try await channel.close()
        return true
    }
}
