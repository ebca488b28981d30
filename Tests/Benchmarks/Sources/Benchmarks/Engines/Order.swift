#if os(Linux)
    import Dispatch
    import Foundation

    /// What one process is to measure of one engine: each has a process of its own, or its peak of memory would be that of
    /// whoever came before.
    struct Order: Codable, Sendable {
        enum Work: String, Codable {
            /// The small JSON, decoded, until the time is over.
            case users

            /// The large file, once.
            case downloadToMemory, downloadToFile, upload

            /// A form with an empty file, and then one with a large file.
            case forms

            /// So many calls at once.
            case crowd

            /// So many calls, one after the other.
            case row

            /// The same, while so many others get no answer from the large file's server.
            case rowBesideSilence
        }

        var engine: EngineName
        var work: Work
        var user: URL
        var large: URL
        var upload: URL
        var folder: URL

        /// How many calls there are at a time.
        var atOnce = 1

        /// How many calls there are in all, where it is not time that ends them.
        var calls = 1

        /// The time, where it ends the calls.
        var seconds = 0.3

        /// The most connections that the engine may have.
        var connections = 64

        init(_ engine: EngineName, _ work: Work, _ server: Nginx) {
            self.engine = engine
            self.work = work
            (user, large, upload, folder) = (server.user, server.large, server.upload, server.folder)
        }

        /// A work that needs no nginx.
        init(_ engine: EngineName, _ work: Work, at url: URL, in folder: URL) {
            self.engine = engine
            self.work = work
            (user, large, upload, self.folder) = (url, url, url, folder)
        }

        private static let verb = "measure"

        /// The order that a process was started with, if it was.
        init?(arguments: [String]) {
            guard arguments.count == 2, arguments[0] == Self.verb else { return nil }
            guard let order = try? JSONDecoder().decode(Order.self, from: Data(arguments[1].utf8)) else { return nil }
            self = order
        }

        /// Longer than any of the works takes, on a machine that has others to do.
        private static let mostSeconds = 120

        /// Has it measured by a new process, which is ended if that takes too long.
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

        /// A process that did not measure what it should; it has said why.
        struct Failed: Error, CustomStringConvertible {
            let order: Order

            var description: String { "\(order.engine.title) failed at \(order.work), \(order.atOnce) at once" }
        }
    }
#endif
