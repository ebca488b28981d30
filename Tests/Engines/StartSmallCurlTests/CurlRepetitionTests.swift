#if os(Linux)
    import CCurl
    import Foundation
    import StartSmall
    import StartSmallTesting
    import Synchronization
    import TestSupport
    import Testing

    @testable import StartSmallCurl

    /// The law `repetitions` over HTTP/2: how often one call is sent, whatever ends its stream or its connection.
    @Suite(
        "repetitions over HTTP/2",
        .serialized,
        .timeLimit(.minutes(1)),
        .enabled(if: SecureServer.isAvailable, "this machine has no OpenSSL 3")
    )
    struct CurlRepetitionTests {
        private typealias Server = SecureServer

        /// What a server does with each request of a call.
        private struct StreamEnd: Sendable {
            let name: String
            /// Whether the server says that it has not processed the request (RFC 9113 6.8, 8.7).
            var isRefusal = false
            var isReset = false
            var hasHead = false
            var closes = false
            let frames: @Sendable (UInt32) -> [Server.Frame]
        }

        /// All error codes (RFC 9113 7), and one that is not defined.
        private static let codes = Array(0...14) as [UInt8]
        private static let refused: UInt8 = 7

        /// The ends of a stream or a connection before a head.
        private static let endsBeforeHead: [StreamEnd] =
            codes.map { code in
                StreamEnd(name: "RST_STREAM \(code)", isRefusal: code == refused, isReset: true) {
                    [.reset($0, code)]
                }
            }
            + [false, true].flatMap { closes in
                [
                    StreamEnd(name: "GOAWAY below", isRefusal: true, closes: closes) { [.goAway(last: $0.previous)] },
                    StreamEnd(name: "GOAWAY of all", isRefusal: true, closes: closes) { _ in [.goAway(last: 0)] },
                    StreamEnd(name: "GOAWAY below, with an error", isRefusal: true, closes: closes) {
                        [.goAway(last: $0.previous, 2)]
                    },
                ]
            }
            + [
                StreamEnd(name: "GOAWAY at, and a close", closes: true) { [.goAway(last: $0)] },
                StreamEnd(name: "GOAWAY above, and a close", closes: true) { [.goAway(last: $0 + 2)] },
                StreamEnd(name: "close", closes: true) { _ in [] },
                StreamEnd(name: "no HTTP/2", closes: true) { _ in [Server.Frame(kind: 1, stream: 2)] },
                StreamEnd(name: "a reset of another stream, and a close", closes: true) { [.reset($0 + 2, refused)] },
            ]

        /// The ends after a head, and after a part of the payload.
        private static let endsAfterHead: [StreamEnd] = ["", "part"].flatMap { part in
            let head: @Sendable (UInt32) -> [Server.Frame] = { [.ok($0)] + (part.isEmpty ? [] : [.data(part, $0)]) }
            return codes.filter { $0 != 0 }.map { code in
                StreamEnd(name: "head, \(part), RST_STREAM \(code)", isRefusal: code == refused, hasHead: true) {
                    head($0) + [.reset($0, code)]
                }
            } + [
                StreamEnd(name: "head, \(part), GOAWAY below", isRefusal: true, hasHead: true) {
                    head($0) + [.goAway(last: $0.previous)]
                },
                StreamEnd(name: "head, \(part), GOAWAY at", hasHead: true, closes: true) {
                    head($0) + [.goAway(last: $0)]
                },
                StreamEnd(name: "head, \(part), close", hasHead: true, closes: true, frames: head),
            ]
        }

        private struct Trial: CustomStringConvertible {
            let end: StreamEnd
            let method: HTTPMethodAndPayload
            /// Whether the call is the second one on its first connection.
            let isUsed: Bool
            var count = 0
            var output = Output.noResponse(.cancelled)

            var description: String {
                "\(count) requests: \(method.method), \(isUsed ? "used" : "new"), \(end.name)\(end.closes ? ", close" : ""): \(output)"
            }
        }

        private static let payload = Payload(.data(Data("hi".utf8)), mediaType: nil)
        private static let post = HTTPMethodAndPayload.post(payload: payload)

        /// Makes one call for each end and method, over an engine of its own.
        ///
        /// - Parameters:
        ///   - methods: the methods of the calls.
        ///   - headers: the header fields of the calls.
        ///   - wrappers: added to the engine.
        ///   - mostRefused: the number of requests after which the server answers.
        private static func trials(
            _ ends: [StreamEnd],
            of methods: [HTTPMethodAndPayload] = [.get, .put(payload: payload), post],
            with headers: HTTPHeaders = [:],
            wrappedBy wrappers: [Wrapper] = [],
            endingAtMost mostRefused: Int = .max
        ) async throws -> [Trial] {
            let current = Mutex<(end: StreamEnd, isUsed: Bool, count: Int)?>(nil)
            return try await Server.running { url, caFile in
                var trials: [Trial] = []
                for end in ends {
                    for method in methods {
                        for isUsed in [false, true] {
                            let options = ConnectionOptions(idleTimeout: .seconds(1), proxy: .none, caFile: caFile)
                            let connector = Connector.curl(options: options).wrapped(by: .all(wrappers))
                            current.withLock { $0 = (end, isUsed, 0) }
                            if isUsed { _ = await WebAPI.call(with: Input(url: url), via: connector) }
                            let input = Input(url: url, headers: headers, methodAndPayload: method)
                            let output = await WebAPI.call(with: input, via: connector)
                            let count = current.withLock { $0?.count ?? 0 } - (isUsed ? 1 : 0)
                            trials.append(
                                Trial(end: end, method: method, isUsed: isUsed, count: count, output: output)
                            )
                        }
                    }
                }
                return trials
            } serving: { connection in
                connection.send(.settings())
                while let stream = connection.readWholeRequest() {
                    guard
                        let (end, isUsed, count) = current.withLock({ current in
                            current?.count += 1
                            return current
                        })
                    else { return }
                    if isUsed && count == 1 || count - (isUsed ? 1 : 0) > mostRefused {
                        connection.send(.noContent(stream))
                        continue
                    }
                    connection.send(end.frames(stream))
                    if end.closes { return connection.close() }
                }
            }.result
        }

        @Test("a call sends its request at most twice, and a POST once, for any end of its stream or connection")
        func mostRequests() async throws {
            for trial in try await Self.trials(Self.endsBeforeHead) {
                let most = trial.method.method == "POST" ? 1 : 2
                #expect((1...most).contains(trial.count), "\(trial)")
                #expect(trial.output.connectionError?.response == nil && trial.output.response == nil, "\(trial)")
            }
        }

        @Test("a GET with a proof is sent once for any end (RFC 9449 11.1), and one without it again for some")
        func proof() async throws {
            for trial in try await Self.trials(Self.endsBeforeHead, of: [.get], with: ["DPoP": "proof"]) {
                #expect(trial.count == 1 && trial.output.response == nil, "\(trial)")
            }
            #expect(try await Self.trials(Self.endsBeforeHead, of: [.get]).contains { $0.count == 2 })
        }

        @Test("a call whose response has begun is not sent again, for any end of its stream or connection")
        func answered() async throws {
            for trial in try await Self.trials(Self.endsAfterHead) {
                withKnownIssue("libcurl 7.88 hides a head that arrives together with a refusal of its stream") {
                    #expect(trial.count == 1, "\(trial)")
                } when: {
                    ccurl_version() < 0x080000 && trial.count == 2 && trial.end.isRefusal
                        && trial.method.method != "POST"
                }
            }
        }

        @Test("a POST that the server did not process is retried (RFC 9113 6.8, 8.7), and no other one")
        func unprocessed() async throws {
            #expect(Connector.curlUnavailable == nil)
            let retry = Wrapper.retry(.exponential(baseDelay: .zero), random: { 0 })
            let ends = Self.endsBeforeHead + (ccurl_version() < 0x080000 ? [] : Self.endsAfterHead)
            for trial in try await Self.trials(ends, of: [Self.post], wrappedBy: [retry], endingAtMost: 1) {
                // A close may hide the frame before it.
                if trial.end.isRefusal && trial.end.closes { continue }
                // Before 8.19, libcurl says nothing of a reset on a used connection.
                let isHidden = trial.end.isReset && trial.isUsed && ccurl_version() < 0x081300
                let isRefusal = trial.end.isRefusal && !trial.end.hasHead && !isHidden
                #expect(trial.count == (isRefusal ? 2 : 1), "\(trial)")
                #expect((trial.output.response?.statusCode.code == 204) == isRefusal, "\(trial)")
            }
        }

        /// What a server does with the POST of a call, while another connection has said GOAWAY.
        private struct Round: Sendable {
            let end: StreamEnd
            let asked = Latch()
            let gone = Latch()
            let mayAnswer = DispatchSemaphore(value: 0)
            let mayGo = DispatchSemaphore(value: 0)
            var connections = 0
            var posts = 0
        }

        @Test("a POST that was read is not retried for a GOAWAY on another connection, for any end of its own")
        func goAwayElsewhere() async throws {
            let retry = Wrapper.retry(.exponential(baseDelay: .zero), random: { 0 })
            let current = Mutex<Round?>(nil)
            _ = try await Server.running { url, caFile in
                // Whether libcurl looks for another connection by itself differs from time to time (7.88).
                let ends = Self.endsBeforeHead.filter { !$0.isRefusal }
                for end in [[StreamEnd]](repeating: ends, count: 6).joined() {
                    let round = Round(end: end)
                    current.withLock { $0 = round }
                    let options = ConnectionOptions(idleTimeout: .seconds(1), proxy: .none, caFile: caFile)
                    let connector = Connector.curl(options: options).wrapped(by: retry)
                    async let first = WebAPI.call(with: Input(url: url), via: connector)
                    await round.asked.wait()
                    _ = await WebAPI.call(with: Input(url: url), via: connector)
                    round.mayAnswer.signal()
                    _ = await first
                    round.mayGo.signal()
                    await round.gone.wait()
                    let output = await WebAPI.call(with: Input(url: url, methodAndPayload: Self.post), via: connector)
                    let last = try #require(current.withLock { $0 })
                    #expect(last.posts == 1, "\(end.name): \(output)")
                    #expect(last.connections >= 2 && output.response == nil, "\(end.name): \(output)")
                }
            } serving: { connection in
                let maxStreams: UInt8 = 3
                connection.send(.setting(maxStreams, to: 1))
                guard let stream = connection.readWholeRequest() else { return }
                let begun = current.withLock { current in
                    current?.connections += 1
                    return current
                }
                guard let round = begun else { return }
                let countPost = { current.withLock { $0?.posts += 1 } }
                switch round.connections {
                case 1:
                    // The client has read the settings.
                    connection.send(.ping)
                    _ = connection.readUntil(\.isPingAnswer)
                    round.asked.open()
                    round.mayAnswer.wait()
                    connection.send(.noContent(stream))
                    guard let post = connection.readWholeRequest() else { return }
                    countPost()
                    connection.send(round.end.frames(post))
                    if round.end.closes { connection.close() }
                case 2:
                    connection.send(.noContent(stream))
                    round.mayGo.wait()
                    connection.send(.goAway(last: 0))
                    round.gone.open()
                default:
                    countPost()
                    connection.send(.noContent(stream))
                }
            }
        }
    }

    extension UInt32 {
        /// The stream of the client before this one; 0 for none (RFC 9113 5.1.1).
        fileprivate var previous: UInt32 { self > 1 ? self - 2 : 0 }
    }
#endif
