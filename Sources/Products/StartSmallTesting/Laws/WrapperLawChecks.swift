import StartSmall
import StartSmallCore
import StartSmallSupport
import Foundation
import Synchronization

struct WrapperLaw: Sendable {
    /// The law, as a sentence.
    let name: String

    /// Whether the law applies to a wrapper that never calls the inner connector, too.
    var isForAll = false
    let check: @Sendable (WrapperLaws) async -> [String]

    static let all = [
        WrapperLaw(name: "a call calls the inner connector as often as stated", isForAll: true) { await $0.fewCalls() },
        WrapperLaw(name: "a listener observes the whole call once", isForAll: true) { await $0.observed() },
        WrapperLaw(name: "a dry run ends, and sends nothing", isForAll: true) { await $0.dryRun() },
        WrapperLaw(name: "the output is that of the inner connector") { await $0.unchangedOutput() },
        WrapperLaw(name: "the input reaches the inner connector") { await $0.unchangedInput() },
        WrapperLaw(name: "a call that is cancelled ends with cancelled, and cancels the inner call") {
            await $0.cancelled()
        }, WrapperLaw(name: "nothing is sent after the call is cancelled") { await $0.stopped() },
        WrapperLaw(name: "a cancelled call releases its resources") { await $0.released() },
        WrapperLaw(name: "a body ends as the body inside of it, and releases its call's resources") {
            await $0.endsOfBodies()
        }, WrapperLaw(name: "concurrent calls each get their own output") { await $0.apart() },
        WrapperLaw(name: "state is separate for each connector") { await $0.ownState() },
    ]
}

extension WrapperLaws {
    fileprivate func unchangedOutput() async -> [String] {
        var details: [String] = []
        for output in outputs.map(\.calledByEngine) {
            let got = await call(.stub(output).wrapped(by: make()))
            if got != output { details.append("\(shown(output)) became \(shown(got))") }
        }
        return details
    }

    fileprivate func unchangedInput() async -> [String] {
        let arrived = Recorder<Input>()
        let sent = input.with { input in
            input.queries.append(URLQueryItem(name: Part.query.name, value: Part.query.value))
            if input.methodAndPayload.payload == nil {
                input.methodAndPayload = .put(payload: Payload(.data(Self.payload), mediaType: .octetStream))
            }
        }
        _ = await call(.stub(.status(.noContent), recording: arrived).wrapped(by: make()), sent)
        // A wrapper may also send its own requests: one request with all parts is enough.
        let lost = arrived.elements.map { input in
            Part.allCases.filter { !changed.contains($0) && $0.reported(of: input) != $0.reported(of: sent) }
        }
        return (lost.min { $0.count < $1.count } ?? []).map { "its \($0) does not" }
    }

    static let payload = Data("WrapperLaws".utf8)

    fileprivate func fewCalls() async -> [String] {
        var details: [String] = []
        for output in outputs {
            let sent = Recorder<Input>()
            _ = await call(.stub(output, recording: sent).wrapped(by: make()))
            let count = sent.elements.count
            if callsInside.contains(count) { continue }
            details.append("\(count) times, not \(callsInside), for the output \(shown(output))")
        }
        return details
    }

    private var callsInside: ClosedRange<Int> { mostCalls > 0 ? 1...mostCalls : 0...0 }

    fileprivate func cancelled() async -> [String] {
        let (calling, abandoned, checked) = (Latch(), Latch(), Latch())
        // A wrapper that violates the law would wait forever.
        defer { checked.open() }
        let connector = Connector.silent(begun: calling, ended: abandoned, until: checked).wrapped(by: make())
        let task = Task { [input] in await WebAPI.call(with: input, via: connector) }
        let isCalled = await opened(calling)
        task.cancel()
        guard isCalled else { return ["the inner connector was never called"] }
        let output = await ended { await task.value }
        var details: [String] = []
        if output != .noResponse(.cancelled) { details.append("the output was \(shown(output))") }
        if await !opened(abandoned) { details.append("the inner connector was not cancelled") }
        return details
    }

    fileprivate func released() async -> [String] {
        let (calling, checked) = (Latch(), Latch())
        defer { checked.open() }
        let isFirst = Mutex(true)
        let connector = Connector { _ in
            let isSilent = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            guard isSilent else { return .status(.ok) }
            calling.open()
            await checked.wait()
            return .noResponse(.cancelled)
        }.wrapped(by: make())
        let task = Task { [input] in await WebAPI.call(with: input, via: connector) }
        _ = await opened(calling)
        task.cancel()
        _ = await ended { await task.value }
        let next = await call(connector)
        return next?.response?.statusCode == .ok ? [] : ["the output of the next call was \(shown(next))"]
    }

    fileprivate func observed() async -> [String] {
        let revealing = Connector { _, context in
            context.report(Told())
            return .status(.ok)
        }
        var details: [String] = []
        for isOutside in [true, false] {
            let log = EventLog()
            let listen = Wrapper.listen(to: log.listener)
            _ = await call(revealing.wrapped(by: .all(isOutside ? [listen, make()] : [make(), listen])))
            let expected = ["started", "received", "succeeded", "ended"]
            let isToldInside = callsInside.contains(log.events.count { $0.reported(Told.self) != nil })
            let lives = log.events.filter { if case .reported = $0 { false } else { expected.contains($0.name) } }
            if isToldInside, lives.map(\.name) == expected { continue }
            details.append("a listener \(isOutside ? "outside" : "inside") observed: \(log.names)")
        }
        return details
    }

    fileprivate func apart() async -> [String] {
        let connector = Connector { .text($0.headers["X-WrapperLaws"] ?? "") }.wrapped(by: make())
        let wrong = await withTaskGroup(of: String?.self) { group in
            for number in 0..<Self.callsAtOnce {
                group.addTask {
                    let output = await call(connector, input.with { $0.headers["X-WrapperLaws"] = "\(number)" })
                    return output?.response?.payload == Data("\(number)".utf8)
                        ? nil : "the output of call \(number) was \(shown(output))"
                }
            }
            return await group.reduce(into: [String]()) { if let wrong = $1 { $0.append(wrong) } }
        }
        return wrong.sorted().prefix(1).map { "\(wrong.count) of \(Self.callsAtOnce) calls do not: \($0)" }
    }

    fileprivate func ownState() async -> [String] {
        let wrapper = make()
        var counts: [Int] = []
        for _ in 0..<2 {
            let sent = Recorder<Input>()
            _ = await call(.stub(.text("hello"), recording: sent).wrapped(by: wrapper))
            counts.append(sent.elements.count)
        }
        return counts[0] == counts[1] ? [] : ["the connectors inside were called \(counts) times"]
    }

    package func dryRun() async -> [String] {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.text("hello"), recording: sent).wrapped(by: make())
        let isEnded = await Timeout(timeout).result { [input] in await connector.dryRun(input) } != nil
        // A wrapper may have left a task behind.
        for _ in 0..<Self.turnsOfOthers { await Task.yield() }
        if !isEnded { return ["it does not end within \(timeout)"] }
        return sent.elements.isEmpty ? [] : ["\(sent.elements.count) requests"]
    }

    /// The number of yields after which other tasks have run.
    private static let turnsOfOthers = 100

    /// The number of concurrent calls: enough for several on each thread of a pool.
    private static let callsAtOnce = 100

    /// Returns the output of a call, by default of the input of the laws; nil if the call does not end.
    func call(_ connector: Connector, _ input: Input? = nil) async -> Output? {
        await ended { [input = input ?? self.input] in await WebAPI.call(with: input, via: connector) }
    }

    /// Returns the output of a call; nil if the call does not end.
    func ended(_ call: @escaping @Sendable () async -> Output) async -> Output? {
        await Timeout(timeout).result(of: call)
    }

    private func opened(_ gate: Latch) async -> Bool {
        await Timeout(timeout).result { await gate.wait() } != nil
    }

    func shown(_ output: Output?) -> String {
        switch output {
        case nil: "nothing within \(timeout)"
        case .hasResponse(let response)?: "\(response)"
        case .noResponse(let error)?: "\(error)"
        }
    }
}

extension WrapperLaws.Part {
    /// A query item that is the same in all query encodings.
    fileprivate static let query = (name: "wrapperlaws", value: "1")

    fileprivate func reported(of input: Input) -> Data? {
        let recorded = try? input.asRecorded()
        return switch self {
        case .method: Data(input.methodAndPayload.method.utf8)
        case .payload: recorded?.methodAndPayload.body
        case .queries:
            recorded?.url.query(percentEncoded: true)?.split(separator: "&").first {
                $0 == "\(Self.query.name)=\(Self.query.value)"
            }.map { Data($0.utf8) }
        }
    }
}

/// A time limit for work that may never end: the only use of a real clock here, and only for violations.
struct Timeout: Sendable {
    private let limit: Duration

    init(_ limit: Duration) { self.limit = min(limit, .maximumWait) }

    /// Returns the result of `work`, or nil after the time limit: the work is cancelled then, but not awaited.
    func result<Value: Sendable>(of work: @escaping @Sendable () async -> Value) async -> Value? {
        let (over, result) = (Latch(), Recorder<Value>())
        let working = Task { @concurrent in
            result.append(await work())
            over.open()
        }
        let waiting = Task { @concurrent [limit] in
            try? await Task.sleep(for: limit)
            over.open()
        }
        await over.wait()
        // The result is read before the work is cancelled, since cancelled work may end with a late value.
        let value = result.elements.first
        waiting.cancel()
        working.cancel()
        return value
    }
}

/// The event of a connector that a law looks for.
private struct Told: ReportedEvent {
    var name: String { "WrapperLaws" }
}

extension Output {
    /// The output with a URL in its response, as each engine sets it, and as a wrapper may.
    fileprivate var calledByEngine: Output {
        guard case .hasResponse(var response) = self else { return self }
        response.url = response.url ?? WrapperLaws.standardInput.url
        return .hasResponse(response)
    }
}
