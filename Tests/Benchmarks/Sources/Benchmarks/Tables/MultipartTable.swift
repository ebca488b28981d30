#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallStreams
    import StartSmallTesting

    /// The memory use of a form with a large file that is read while it is sent.
    ///
    /// The server discards the bytes as they arrive, and runs in this process, not in the measured one.
    enum MultipartTable {
        static let smallFile = "small"
        static let largeFile = "large"

        private static let engines: [EngineName] = [.curl, .urlSession]
        private static let largeBytes = 1 << 30

        /// The permitted memory above that of the process before the form, in bytes.
        private static let limit = 40 << 20

        static func measure() async throws {
            let name = "startsmall-\(UUID().uuidString)"
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try Zeros.write(0, to: folder.appendingPathComponent(smallFile))
            try Zeros.write(largeBytes, to: folder.appendingPathComponent(largeFile))
            Columns.title("a form with a file of 1 GiB", ["idle MiB", "peak MiB"])
            for engine in engines { show(try await figure(of: engine, folder), engine) }
        }

        private static func show(_ figure: Figure, _ engine: EngineName) {
            let idle = figure.resident.first ?? 0
            Columns.row(engine.title, [Double(idle).mebibytes, Double(figure.peak).mebibytes])
            let above = figure.peak - idle
            let decision = above < limit ? "reached" : "MISSED"
            Columns.show("    \(Double(above).mebibytes) MiB above idle, at most \(limit >> 20): \(decision)")
        }

        /// The first connection is for the small form, which is all overhead; the second one for the large form.
        private static func figure(of engine: EngineName, _ folder: URL) async throws -> Figure {
            let overhead = try await overhead(of: engine, folder)
            return try await LoopbackServer.playing({ connection in
                let count = overhead + (connection == 0 ? 0 : largeBytes)
                return [.receiveHead, .discard(count), .send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")]
            }) { server in
                try Order(engine, .forms, at: server.url, in: folder).measured()
            }
        }

        /// Returns the number of bytes of the small form, counted by a server that keeps them.
        private static func overhead(of engine: EngineName, _ folder: URL) async throws -> Int {
            let bytes = Recorder<Int>()
            let counting = Connector { input in
                if case .data(let data)? = input.methodAndPayload.payload?.content { bytes.append(data.count) }
                return .status(.noContent)
            }
            try await LoopbackServer.serving(counting) { server in
                let order = Order(engine, .forms, at: server.url, in: folder)
                try await order.engine.engine(order)?.form(folder.appendingPathComponent(smallFile))
            }
            return bytes.elements.first ?? 0
        }
    }
#endif
