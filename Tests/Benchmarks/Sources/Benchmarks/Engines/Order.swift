#if os(Linux)
    import Dispatch
    import Foundation

    /// The work that one process measures with one engine: each runs in its own process, so that its peak memory does
    /// not include that of earlier works.
    struct Order: Codable, Sendable {
        enum Work: String, Codable {
            /// The small JSON, decoded, until the time is over.
            case users

            /// The large file, once.
            case downloadToMemory, downloadToFile, upload

            /// A form with an empty file, and then one with a large file.
            case forms

            /// Concurrent calls.
            case crowd

            /// Successive calls.
            case row

            /// Successive calls, while other calls get no answer from the server of the large file.
            case rowBesideSilence
        }

        var engine: EngineName
        var work: Work
        var user: URL
        var large: URL
        var upload: URL
        var folder: URL

        /// The number of concurrent calls.
        var atOnce = 1

        /// The total number of calls, for works that are not limited by time.
        var calls = 1

        /// The time in seconds, for works that are limited by time.
        var seconds = 0.3

        /// The maximum number of connections of the engine.
        var connections = 64

        /// The certificate of the server; nil without TLS.
        var caFile: URL?

        /// Whether calls may share a connection by HTTP/2.
        var multiplexes = true

        init(_ engine: EngineName, _ work: Work, _ server: Nginx) {
            self.engine = engine
            self.work = work
            (user, large, upload, folder) = (server.user, server.large, server.upload, server.folder)
        }

        /// Creates an order for a work that needs no nginx.
        init(_ engine: EngineName, _ work: Work, at url: URL, in folder: URL) {
            self.engine = engine
            self.work = work
            (user, large, upload, self.folder) = (url, url, url, folder)
        }

        private static let verb = "measure"

        /// Creates the order that this process was started with; nil if it was started without one.
        init?(arguments: [String]) {
            guard arguments.count == 2, arguments[0] == Self.verb else { return nil }
            guard let order = try? JSONDecoder().decode(Order.self, from: Data(arguments[1].utf8)) else { return nil }
            self = order
        }

        /// The time limit of a process: longer than any of the works takes, even on a busy machine.
        private static let mostSeconds = 120

        /// Measures in a new process, which is ended after the time limit.
        func measured() throws -> Figure {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            process.arguments = [Self.verb, String(decoding: try JSONEncoder().encode(self), as: UTF8.self)]
            process.standardOutput = output
            try process.run()
            let watch = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.mostSeconds), execute: watch)
            defer { watch.cancel() }
            let line = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failed(order: self) }
            return try JSONDecoder().decode(Figure.self, from: line)
        }

        /// The error of a process that did not complete its measurement; the process has printed the reason.
        struct Failed: Error, CustomStringConvertible {
            let order: Order

            var description: String { "\(order.engine.title) failed at \(order.work), \(order.atOnce) at once" }
        }
    }
#endif
