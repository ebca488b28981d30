import Foundation
import StartSmall
import Synchronization

extension WrapperLaws {
    func unchangedOutput() async -> [Violation] {
        var violations: [Violation] = []
        for output in outputs {
            let got = await ended { [input] in await WebAPI.call(with: input, via: .stub(output).wrapped(by: make())) }
            if got != output {
                violations.append("the output is that of the inner connector", "\(shown(output)) became \(shown(got))")
            }
        }
        return violations
    }

    func fewCalls() async -> [Violation] {
        var violations: [Violation] = []
        for output in outputs {
            let sent = Recorder<Input>()
            let connector = Connector.stub(output, recording: sent).wrapped(by: make())
            _ = await ended { [input] in await WebAPI.call(with: input, via: connector) }
            let count = sent.elements.count
            if !callsInside.contains(count) {
                let often = mostCalls > 0 ? "at least once and at most \(mostCalls) times" : "never"
                let law = "a call calls the inner connector \(often)"
                violations.append(law, "\(count) times for the output \(shown(output))")
            }
        }
        return violations
    }

    /// The allowed numbers of calls of the inner connector per call.
    private var callsInside: ClosedRange<Int> { mostCalls > 0 ? 1...mostCalls : 0...0 }

    func cancelled() async -> [Violation] {
        let law = "a call that is cancelled ends with cancelled, and cancels the inner call"
        let (calling, abandoned, checked) = (Latch(), Latch(), Latch())
        // A wrapper that violates the law would wait forever.
        defer { checked.open() }
        let connector = Connector.silent(begun: calling, ended: abandoned, until: checked).wrapped(by: make())
        let task = Task { [input] in await WebAPI.call(with: input, via: connector) }
        guard await opened(calling) else {
            task.cancel()
            return [Violation(law: law, detail: "the inner connector was never called")]
        }
        task.cancel()
        let output = await ended { await task.value }
        var violations: [Violation] = []
        if output != .noResponse(.cancelled) { violations.append(law, "the output was \(shown(output))") }
        if await !opened(abandoned) { violations.append(law, "the inner connector was not cancelled") }
        return violations
    }

    func released() async -> [Violation] {
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
        let next = await ended { [input] in await WebAPI.call(with: input, via: connector) }
        if next?.response?.statusCode == .ok { return [] }
        return [
            Violation(
                law: "a cancelled call releases its resources",
                detail: "the output of the next call was \(shown(next))"
            )
        ]
    }

    func observed() async -> [Violation] {
        let reported = "WrapperLaws"
        let revealing = Connector { _, context in
            context.report(.custom(name: reported, detail: ""))
            return .status(.ok)
        }
        var violations: [Violation] = []
        for (place, isOutside) in [("outside", true), ("inside", false)] {
            let log = EventLog()
            let listen = Wrapper.listen(to: log.listener)
            let connector = revealing.wrapped(by: isOutside ? [listen, make()] : [make(), listen])
            _ = await ended { [input] in await WebAPI.call(with: input, via: connector) }
            let own = log.names.filter { ["started", "received", "succeeded", "ended"].contains($0) }
            let isToldInside = callsInside.contains(log.names.count { $0 == reported })
            if !isToldInside || own != ["started", "received", "succeeded", "ended"] {
                violations.append("a listener \(place) observes the whole call once", "observed events: \(log.names)")
            }
        }
        return violations
    }

    func apart() async -> [Violation] {
        let mirror = Connector { .text($0.headers["X-WrapperLaws"] ?? "") }
        let connector = mirror.wrapped(by: make())
        let wrong = await withTaskGroup(of: String?.self) { group in
            for number in 0..<Self.callsAtOnce {
                group.addTask { [input, self] in
                    var input = input
                    input.headers["X-WrapperLaws"] = "\(number)"
                    let output = await ended { [input] in await WebAPI.call(with: input, via: connector) }
                    return output == .text("\(number)") ? nil : "the output of call \(number) was \(shown(output))"
                }
            }
            return await group.reduce(into: [String]()) { if let wrong = $1 { $0.append(wrong) } }
        }
        guard let first = wrong.sorted().first else { return [] }
        let law = "concurrent calls each get their own output"
        return [Violation(law: law, detail: "\(wrong.count) of \(Self.callsAtOnce) calls do not: \(first)")]
    }

    func ownState() async -> [Violation] {
        let wrapper = make()
        var counts: [Int] = []
        for _ in 0..<2 {
            let sent = Recorder<Input>()
            let connector = Connector.stub(.text("hello"), recording: sent).wrapped(by: wrapper)
            _ = await ended { [input] in await WebAPI.call(with: input, via: connector) }
            counts.append(sent.elements.count)
        }
        if counts[0] == counts[1] { return [] }
        let detail = "the inner connector was called \(counts[0]) times, and a second one \(counts[1]) times"
        return [Violation(law: "state is separate for each connector", detail: detail)]
    }

    package func dryRun() async -> [Violation] {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.text("hello"), recording: sent).wrapped(by: make())
        let isEnded = await Timeout(timeout).result { [input] in await connector.dryRun(input) } != nil
        // A wrapper may have left a task behind.
        for _ in 0..<Self.turnsOfOthers { await Task.yield() }
        let law = "a dry run ends, and sends nothing"
        if !isEnded { return [Violation(law: law, detail: "it does not end within \(timeout)")] }
        return sent.elements.isEmpty ? [] : [Violation(law: law, detail: "\(sent.elements.count) requests")]
    }

    /// The number of yields after which other tasks have run.
    private static let turnsOfOthers = 100

    /// The number of concurrent calls: enough for several on each thread of a pool.
    private static let callsAtOnce = 100

    /// Returns the output of a call; nil if the call does not end.
    func ended(_ call: @escaping @Sendable () async -> Output) async -> Output? {
        await Timeout(timeout).result(of: call)
    }

    private func opened(_ gate: Latch) async -> Bool {
        await Timeout(timeout).result { await gate.wait() } != nil
    }

    private func shown(_ output: Output?) -> String {
        switch output {
        case nil: "nothing within \(timeout)"
        case .hasResponse(let response)?: "\(response)"
        case .noResponse(let error)?: "\(error)"
        }
    }
}

extension [Violation] {
    fileprivate mutating func append(_ law: String, _ detail: String) {
        append(Violation(law: law, detail: detail))
    }
}
