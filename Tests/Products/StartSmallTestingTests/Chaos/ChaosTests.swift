import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct ChaosTests {
    private let input = Sample.input("https://a/")
    private let clock = ManualClock()
    private let sent = Recorder<Input>()

    private func connector(_ chaos: Wrapper, _ text: String = "0123456789") -> Connector {
        Connector.stub(.text(text), recording: sent).wrapped(by: chaos)
    }

    @Test("without faults, or with faults that do not apply yet, nothing changes")
    func nothing() async {
        let faults: [Wrapper] = [
            .chaos(), .chaos(.status(.badGateway, when: .probability(0))),
            .chaos(.status(.badGateway, when: .calls(2...3))),
            .chaos(.status(.badGateway, when: FaultTrigger { $0.input.url.host() == "b" })),
            .chaos(.cutOff(afterBytes: 10)), .chaos(.truncated(toBytes: 11)),
        ]
        for chaos in faults {
            #expect(await WebAPI.call(with: input, via: connector(chaos)) == .text("0123456789"))
        }
        #expect(sent.elements.count == faults.count)
    }

    @Test("faults with a status or an error answer in place of the connector")
    func answers() async {
        let lost = ConnectionError.connectionLost(.init(domain: "a", code: 1, text: "b"))
        let headers: HTTPHeaders = ["Retry-After": "1"]
        let busy = connector(.chaos(.status(.serviceUnavailable, headers: headers)))
        #expect(await WebAPI.call(with: input, via: busy) == .status(.serviceUnavailable, headers: headers))
        #expect(await WebAPI.call(with: input, via: connector(.chaos(.error(lost)))) == .noResponse(lost))
        #expect(sent.elements == [])
    }

    @Test("calls are counted for each method and URL")
    func counts() async {
        let connector = connector(
            .chaos(.status(.badGateway, when: .calls(1...2)), .status(.accepted, when: .calls(3...3)))
        )
        var codes: [Int?] = []
        for path in ["a", "b", "a", "a", "a", "b"] {
            codes.append(
                await WebAPI.call(with: Sample.input("https://\(path)/"), via: connector).response?.statusCode.code
            )
        }
        #expect(codes == [502, 502, 502, 202, 200, 502])
        #expect(await WebAPI.call(with: Sample.input("https://a/", .head), via: connector) == .status(.badGateway))
    }

    @Test("a latency passes on the clock before anything is sent, and before an error", arguments: [true, false])
    func latency(isLost: Bool) async {
        let lost = Fault.error(.cancelled, when: .calls(isLost ? 1...1 : 2...2))
        let connector = connector(.chaos(.latency(.seconds(2)), lost, clock: clock))
        async let output = WebAPI.call(with: input, via: connector)
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(2)] && sent.elements == [])
        clock.advance(by: .seconds(2))
        #expect(await output == (isLost ? .noResponse(.cancelled) : .text("0123456789")))
        #expect(sent.elements.count == (isLost ? 0 : 1))
    }

    @Test("a latency beyond a hundred years is limited to a hundred years", arguments: [Int64.max, 3_153_600_001])
    func endlessLatency(seconds: Int64) async {
        let connector = connector(.chaos(.latency(.seconds(seconds)), clock: clock))
        let task = Task { [input] in await WebAPI.call(with: input, via: connector) }
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(100 * 365 * 86_400)])
        task.cancel()
        _ = await task.value
    }

    @Test("a call that is cancelled during its delay ends at once")
    func cancelled() async {
        for fault in [Fault.latency(.seconds(2)), .slow(bytes: 1, every: .seconds(1))] {
            let connector = connector(.chaos(fault, clock: clock))
            let task = Task { [input] in await WebAPI.call(with: input, via: connector) }
            await clock.waitForSleepers(count: 1)
            task.cancel()
            #expect(await task.value == .noResponse(.cancelled))
            #expect(clock.sleeperCount == 0)
        }
    }

    @Test("a payload in memory that is cut off is an error with the bytes received so far")
    func cutOff() async {
        let error = await WebAPI.call(with: input, via: connector(.chaos(.cutOff(afterBytes: 4)))).connectionError
        #expect(error?.name == "connectionLost")
        #expect(error?.cause?.partial?.payload == Data("0123".utf8))
    }

    /// Returns a connector that delivers ten bytes in parts and records the parts that were taken.
    private func giving(_ parts: [String], taken: Recorder<String> = Recorder()) -> Connector {
        Connector { _ in
            .open(Response(statusCode: .ok), parts.map(\.utf8)) { taken.append(String(decoding: $0, as: UTF8.self)) }
        }
    }

    /// Faults on a body of the chunks `012`, `345` and `6789`: the chunks that are read, and whether it breaks off.
    private static let faultsInBodies: [(Fault, [String], Bool)] = [
        (.truncated(toBytes: 4), ["012", "3"], false), (.truncated(toBytes: -1), [], false),
        (.truncated(toBytes: 6), ["012", "345"], false), (.truncated(toBytes: 10), ["012", "345", "6789"], false),
        (.cutOff(afterBytes: 0), [], true), (.cutOff(afterBytes: 4), ["012", "3"], true),
        (.cutOff(afterBytes: 3), ["012"], true), (.cutOff(afterBytes: 10), ["012", "345", "6789"], false),
        (.slow(bytes: 4, every: .zero), ["0123", "4567", "89"], false),
        (.slow(bytes: 5, every: .zero), ["01234", "56789"], false),
    ]

    /// Reads a body, and returns its chunks, and the name of its error.
    private func read(_ body: ResponseBody) async -> (chunks: [String], error: String?) {
        var chunks: [String] = []
        do throws(ConnectionError) {
            while let chunk = try await body.next() { chunks.append(String(decoding: chunk, as: UTF8.self)) }
            return (chunks, nil)
        } catch {
            return (chunks, error.name)
        }
    }

    @Test("a body has the faults of its payload, and ends the transfer with its own end", arguments: faultsInBodies)
    func inBody(fault: Fault, expected: [String], isLost: Bool) async throws {
        let ends = Recorder<ResponseBody.End>()
        let server = Connector { _ in
            .open(Response(statusCode: .ok), ["012", "345", "6789"].map(\.utf8)).onEnd { ends.append($0) }
        }
        for (inner, isChunked) in [(server, true), (Connector.stub(.text("0123456789")), false)] {
            let input = Input(url: input.url, delivery: .stream)
            let output = await WebAPI.call(with: input, via: inner.wrapped(by: .chaos(fault)))
            let (chunks, error) = await read(try #require(output.response?.body))
            #expect(chunks.joined() == expected.joined())
            if isChunked { #expect(chunks == expected) }
            #expect(error == (isLost ? "connectionLost" : nil))
        }
        #expect(ends.elements.count == 1 && (ends.elements.first == .complete) == !isLost)
    }

    @Test("a slow body is delayed before each chunk, and a wait ends with its body")
    func slowBody() async throws {
        let slow = Wrapper.chaos(.slow(bytes: 4, every: .seconds(1)), clock: clock)
        let input = Input(url: input.url, delivery: .stream)
        let output = await WebAPI.call(with: input, via: giving(["012", "345", "6789"]).wrapped(by: slow))
        let body = try #require(output.response?.body)
        let read = Recorder<Data?>()
        let reading = Task {
            do throws(ConnectionError) {
                while true { read.append(try await body.next()) }
            } catch {
                return error
            }
        }
        for count in 0..<2 {
            await clock.waitForSleepers(count: 1)
            #expect(read.elements.count == count)
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers(count: 1)
        let late = ConnectionError.timedOut(.init(domain: "test", code: 1, text: "late"))
        body.interrupt(with: late)
        #expect(await reading.value == late)
        #expect(read.elements == [Data("0123".utf8), Data("4567".utf8)] && clock.sleeperCount == 0)
    }

    @Test("a seed reproduces a run exactly, however many calls are concurrent, and another seed gives another run")
    func seed() async {
        var runs: [[String: [Int]]] = []
        for seed: UInt64 in [7, 7, 8] { runs.append(await run(seed: seed)) }
        #expect(runs[0] == runs[1])
        #expect(runs[0] != runs[2])
        let failed = runs[0].values.joined().count { $0 == 502 }
        #expect((100...500).contains(failed), "\(failed) of 1,000, where 300 are to be expected")
    }

    @Test(
        "the port affects the random faults of another machine, but not those of this machine",
        arguments: [
            ("http://127.0.0.1", true), ("http://localhost", true), ("http://LOCALHOST", true), ("http://[::1]", true),
            ("http://a", false), ("http://127.0.0.2", false),
        ]
    )
    func ports(origin: String, isAlike: Bool) async {
        var runs: [[Output]] = []
        for port in [1, 2] {
            let connector = connector(.chaos(.status(.badGateway, when: .probability(0.5))))
            var outputs: [Output] = []
            for number in 0..<50 {
                outputs.append(await WebAPI.call(with: Sample.input("\(origin):\(port)/\(number)"), via: connector))
            }
            runs.append(outputs)
        }
        #expect((runs[0] == runs[1]) == isAlike)
    }

    @Test("the numbers equal those of the generator's authors")
    func numbers() {
        var numbers = SplitMix64(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423, 4_593_380_528_125_082_431,
        ]
        #expect((0..<4).map { _ in numbers.next() } == expected)
    }

    @Test("two faults of the same probability are independent")
    func independent() async {
        let faults: [Fault] = [
            .truncated(toBytes: 1, when: .probability(0.5)), .status(.badGateway, when: .probability(0.5)),
        ]
        let connector = connector(.chaos(faults[0], faults[1], seed: 1))
        var outputs: Set<Output> = []
        for _ in 0..<100 { outputs.insert(await WebAPI.call(with: input, via: connector)) }
        #expect(outputs == [.text("0"), .status(.badGateway), .text("0123456789")])
    }

    /// Returns the statuses of 10 concurrent calls of each of 100 URLs, sorted, since their order within a URL is
    /// undefined.
    private func run(seed: UInt64) async -> [String: [Int]] {
        let connector = connector(.chaos(.status(.badGateway, when: .probability(0.3)), seed: seed))
        return await withTaskGroup(of: (String, Int).self) { group in
            for number in 0..<1_000 {
                let url = "https://a/\(number % 100)"
                group.addTask {
                    (url, await WebAPI.call(with: Sample.input(url), via: connector).response?.statusCode.code ?? 0)
                }
            }
            let codes = await group.reduce(into: [String: [Int]]()) { $0[$1.0, default: []].append($1.1) }
            return codes.mapValues { $0.sorted() }
        }
    }
}
