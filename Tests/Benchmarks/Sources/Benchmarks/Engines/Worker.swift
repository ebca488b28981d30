#if os(Linux)
    import BareCurl
    import Foundation
    import GitHubAPI

    /// The process that measures one engine.
    enum Worker {
        /// Performs the order, and prints the figure for the parent process.
        static func report(_ order: Order) async throws {
            ThisProcess.raiseDescriptorLimit()
            var figure =
                if let engine = order.engine.engine(order) {
                    try await measure(engine, order)
                } else {
                    try measureBare(order)
                }
            figure.peak = ThisProcess.peak
            print(String(decoding: try JSONEncoder().encode(figure), as: UTF8.self))
        }

        @concurrent
        private static func measure(_ engine: Engine, _ order: Order) async throws -> Figure {
            let figure = try await figure(of: engine, order)
            try await engine.end()
            return figure
        }

        private static func figure(of engine: Engine, _ order: Order) async throws -> Figure {
            switch order.work {
            case .users:
                _ = try await users(engine, order.atOnce, seconds: order.seconds / 3)
                return try await users(engine, order.atOnce, seconds: order.seconds)
            case .crowd: return try await crowd(engine, order.atOnce)
            case .row: return try await row(engine, order.calls)
            case .rowBesideSilence: return try await besideSilence(engine, order)
            case .downloadToMemory: return try await once(engine) { try check(await engine.downloadToMemory()) }
            case .downloadToFile: return try await once(engine) { try await downloadToFile(engine, order) }
            case .upload: return try await once(engine) { try check(await engine.upload(order.largeFile)) }
            case .forms: return try await forms(engine, order)
            }
        }

        /// Measures work that returns its number of calls.
        private static func measured(_ work: () async throws -> Int) async throws -> Figure {
            let (start, cpu) = (ContinuousClock.now, ThisProcess.cpu)
            let calls = try await work()
            return Figure(calls: calls, seconds: (.now - start) / .seconds(1), cpu: ThisProcess.cpu - cpu)
        }

        /// Measures one transfer over an established connection.
        private static func once(_ engine: Engine, _ work: () async throws -> Void) async throws -> Figure {
            try await engine.user()
            return try await measured {
                try await work()
                return 1
            }
        }
    }

    // MARK: many small calls

    extension Worker {
        /// Makes `atOnce` concurrent calls, each followed by the next, until the time is over.
        private static func users(_ engine: Engine, _ atOnce: Int, seconds: Double) async throws -> Figure {
            let end = ContinuousClock.now + .seconds(seconds)
            return try await measured {
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<atOnce {
                        group.addTask {
                            var calls = 0
                            while ContinuousClock.now < end {
                                try await engine.user()
                                calls += 1
                            }
                            return calls
                        }
                    }
                    return try await group.reduce(0, +)
                }
            }
        }

        private static func crowd(_ engine: Engine, _ atOnce: Int) async throws -> Figure {
            try await measured {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<atOnce { group.addTask { try await engine.user() } }
                    try await group.waitForAll()
                }
                return atOnce
            }
        }

        /// Records the memory after the first call, the thousandth and the last.
        private static func row(_ engine: Engine, _ calls: Int) async throws -> Figure {
            var resident: [Int] = []
            var figure = try await measured {
                for call in 1...calls {
                    try await engine.user()
                    if [1, 1_000, calls].contains(call) { resident.append(ThisProcess.resident) }
                }
                return calls
            }
            figure.resident = resident
            return figure
        }
    }

    // MARK: calls beside others that get no answer

    extension Worker {
        private static func besideSilence(_ engine: Engine, _ order: Order) async throws -> Figure {
            let silent = (0..<order.atOnce).map { _ in Task { _ = try? await engine.downloadToMemory() } }
            // All calls are connected by then, or the figure is of fewer.
            try await Task.sleep(for: .seconds(1))
            defer { for task in silent { task.cancel() } }
            return try await row(engine, order.calls)
        }
    }

    // MARK: the large file

    extension Worker {
        private static func check(_ count: Int) throws {
            if count < Nginx.largeBytes { throw WrongAnswer(what: "\(count) bytes") }
        }

        private static func downloadToFile(_ engine: Engine, _ order: Order) async throws {
            let place = order.folder.appendingPathComponent(UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: place) }
            try await engine.downloadToFile(place)
            try check(FileManager.default.attributesOfItem(atPath: place.path)[.size] as? Int ?? 0)
        }
    }

    // MARK: a large form

    extension Worker {
        /// Records the memory between the two forms.
        private static func forms(_ engine: Engine, _ order: Order) async throws -> Figure {
            try await engine.form(order.folder.appendingPathComponent(MultipartTable.smallFile))
            let idle = ThisProcess.resident
            var figure = try await measured {
                try await engine.form(order.folder.appendingPathComponent(MultipartTable.largeFile))
                return 1
            }
            figure.resident = [idle]
            return figure
        }
    }

    extension Order {
        fileprivate var largeFile: URL { folder.appendingPathComponent(Nginx.largeFile) }
    }

    // MARK: libcurl in C

    extension Worker {
        private static func measureBare(_ order: Order) throws -> Figure {
            let whole: bare_curl_whole? = order.engine == .bareCurl ? isUser : nil
            let bare = order.user.absoluteString.withCString { url in
                (order.caFile?.path ?? "").withCString { file in
                    let server = bare_curl_server(
                        url: url,
                        ca_file: order.caFile == nil ? nil : file,
                        multiplexes: order.multiplexes
                    )
                    return bare_curl_open(server, Int32(order.atOnce), whole)
                }
            }
            guard let bare else {
                throw WrongAnswer(what: "libcurl can't be loaded")
            }
            defer { bare_curl_close(bare) }
            _ = bare_curl_run(bare, order.seconds / 3)
            let cpu = ThisProcess.cpu
            let figure = bare_curl_run(bare, order.seconds)
            guard figure.calls > 0 else { throw WrongAnswer(what: "a call of libcurl failed") }
            return Figure(calls: figure.calls, seconds: figure.seconds, cpu: ThisProcess.cpu - cpu)
        }

        /// Returns 1 if these bytes are a user's JSON, and 0 otherwise.
        private static let isUser: @convention(c) (UnsafePointer<CChar>?, Int) -> Int32 = { payload, count in
            guard let payload else { return 0 }
            return (try? JSONDecoder().decode(GitHubUser.self, from: Data(bytes: payload, count: count))) == nil ? 0 : 1
        }
    }
#endif
