#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallTesting

    /// A GiB from the disk, as a part of a form, up to a server that keeps nothing of it: what memory that takes.
    enum MultipartTable {
        private static let mebibytes = 1024

        /// 40 MiB: buffers of the engine and the server, and nothing that grows with the file.
        private static let mostBytesAboveIdle = 40 * 1_048_576

        /// Has each engine measured by a process of its own, or its peak of memory would be that of who came before.
        static func measure() throws {
            Columns.title("\(mebibytes) MiB from a file, in a form", ["MiB/s", "CPU ms", "idle MiB", "peak above"])
            for engine in [EngineName.curl, .urlSession] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
                process.arguments = ["upload-form", engine.rawValue]
                try process.run()
                process.waitUntilExit()
                guard process.terminationStatus == 0 else { throw WrongAnswer(what: "\(engine.title) failed") }
            }
        }

        /// Measures an engine of the kit in this process, which has done nothing yet.
        static func report(_ engine: EngineName) async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "form-\(UUID().uuidString).bin")
            defer { try? FileManager.default.removeItem(at: file) }
            // A hole in a file is read as zeros, as if it had them.
            guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
                throw WrongAnswer(what: "no file at \(file.path)")
            }
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(mebibytes) * 1_048_576)
            let form: MultipartForm = [.text("title", "A large file"), .file("data", file)]
            let length = try PayloadSource(.multipart(form)).count
            let answer = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
            let script: @Sendable (Int) -> [RawStep] = { connection in
                connection == 0
                    ? [.receiveRequest, .send(answer)] : [.receiveHead, .discard(length), .send(answer)]
            }
            let connector = engine == .urlSession ? Connector.urlSession() : .curl()
            try await LoopbackServer.playing(script) { server in
                try await call(.get(server.url.absoluteString), connector)
                let (idle, cpu, start) = (ThisProcess.resident, ThisProcess.cpu, ContinuousClock.now)
                try await call(.post(server.url.absoluteString, payload: .multipart(form)), connector)
                let seconds = start.duration(to: .now) / .seconds(1)
                show(engine, seconds: seconds, cpu: ThisProcess.cpu - cpu, idle: idle, above: ThisProcess.peak - idle)
            }
        }

        private static func call(_ input: Either<ConnectionError, Input>, _ connector: Connector) async throws {
            guard case .right(let input) = input else { throw WrongAnswer(what: "\(input)") }
            let output = await WebAPI.call(with: input, via: connector)
            guard output.response?.statusCode == .noContent else { throw WrongAnswer(what: "\(output)") }
        }

        private static func show(_ engine: EngineName, seconds: Double, cpu: Double, idle: Int, above: Int) {
            let figures = [
                (Double(mebibytes) / seconds).whole, (cpu * 1000).whole, Double(idle).mebibytes,
                Double(above).mebibytes,
            ]
            Columns.row(engine.title, figures)
            let verdict = above < mostBytesAboveIdle ? "reached" : "MISSED"
            Columns.show("    at most \(Double(mostBytesAboveIdle).mebibytes) MiB above idle: \(verdict)")
        }
    }
#endif
