import Foundation
import StartSmall

extension WrapperLaws {
    func dryRun() async -> [Violation] {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.text("hello"), recording: sent).wrapped(by: make())
        let isEnded = await Timeout(timeout).result { [input] in await connector.dryRun(input) } != nil
        // A wrapper may have left a task behind.
        for _ in 0..<Self.turnsOfOthers { await Task.yield() }
        let law = "a dry run ends, and sends nothing"
        if !isEnded { return [Violation(law: law, detail: "it does not end within \(timeout)")] }
        return sent.elements.isEmpty ? [] : [Violation(law: law, detail: "\(sent.elements.count) requests")]
    }

    func declared() async -> [Violation] {
        guard let declaration = make().declaration else { return [] }
        var violations: [Violation] = []
        if !declaration.secrets.allSatisfy({ declaration.changes.covers($0) }) {
            violations.declared("credentials are among the declared changes", "\(declaration.secrets)")
        }
        for output in Self.defaultOutputs + Self.outputsThatAskForMore {
            for input in [input, filled] where violations.isEmpty {
                violations += await falseProperties(of: declaration, output, input)
            }
        }
        if declaration.waits == nil {
            violations += await waitsForOthers()
            if clock != nil { violations += await waitsForClock() }
        }
        if let limit = declaration.timeLimit, let clock { violations += await exceeds(limit, on: clock) }
        return violations
    }

    /// Returns the properties that two calls, one after another, show to be false.
    private func falseProperties(
        of declaration: WrapperDeclaration,
        _ output: Output,
        _ input: Input
    ) async -> [Violation] {
        let arrived = Recorder<Input>()
        let connector = Connector.stub(output, recording: arrived).wrapped(by: make())
        var violations: [Violation] = []
        for _ in 1...2 {
            let before = arrived.elements.count
            // A wrapper that waits on the clock does not end; the other laws say whether it may wait.
            guard let got = await ending(of: input, via: connector) else { return violations }
            let requests = arrived.elements.dropFirst(before)
            let occasion = "for the output \(output)"
            if declaration.repeats == nil, requests.count > 1 {
                violations.declared("no repetition", "\(requests.count) requests \(occasion)")
            }
            if declaration.shortCircuits == nil, requests.isEmpty {
                violations.declared("no short circuit", "no request \(occasion)")
            }
            let changed = Set(requests.flatMap { $0.changes(from: input) })
            for part in changed.filter({ !declaration.changes.covers($0) }) {
                violations.declared("no change of \(part)", "the \(part) is changed \(occasion)")
            }
            let isCompared = input.delivery == .memory && !requests.isEmpty
            if isCompared, got != output, !declaration.changes.contains(.response) {
                violations.declared("no change of the response", "it is changed \(occasion)")
            }
        }
        return violations
    }

    /// Returns the output of a call; nil if it waits on the clock, or does not end.
    private func ending(of input: Input, via connector: Connector) async -> Output? {
        guard let clock else { return await ended { await WebAPI.call(with: input, via: connector) } }
        return await Self.unlessSleeping(on: clock) { await WebAPI.call(with: input, via: connector) }
    }

    /// Returns a violation if a call does not end while the clock stands still.
    private func waitsForClock() async -> [Violation] {
        let connector = Connector.stub(.text("hello")).wrapped(by: make())
        if await ended({ [input] in await WebAPI.call(with: input, via: connector) }) != nil { return [] }
        return [.declared("no waiting", "a call waits on the clock")]
    }

    private func waitsForOthers() async -> [Violation] {
        let (calling, release) = (Latch(), Latch())
        defer { release.open() }
        let isFirst = Locked(true)
        let connector = Connector { _ in
            let isHeld = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isHeld {
                calling.open()
                await release.wait()
            }
            return .status(.ok)
        }.wrapped(by: make())
        let first = Task { [input] in await WebAPI.call(with: input, via: connector) }
        defer { first.cancel() }
        let ending = Task {
            _ = await first.value
            calling.open()
        }
        defer { ending.cancel() }
        _ = await Timeout(timeout).result { await calling.wait() }
        let second = await ended { [input] in await WebAPI.call(with: input, via: connector) }
        return second == nil ? [.declared("no waiting", "a call waits for another one")] : []
    }

    private func exceeds(_ limit: Duration, on clock: ManualClock) async -> [Violation] {
        let (begun, checked) = (Latch(), Latch())
        defer { checked.open() }
        let connector = Connector.silent(begun: begun, until: checked).wrapped(by: make())
        let call = Task { [input] in await WebAPI.call(with: input, via: connector) }
        defer { call.cancel() }
        let isSleeping: Void? = await Timeout(timeout).result {
            await begun.wait()
            await clock.waitForSleepers(count: 1)
        }
        if isSleeping != nil {
            clock.advance(by: limit)
            if await Timeout(timeout).result(of: { await call.value }) != nil { return [] }
        }
        return [.declared("a time limit of \(limit)", "a call takes longer")]
    }

    /// Returns the output of a call; nil if it waits for the clock, which is then advanced to end the call.
    private static func unlessSleeping(
        on clock: ManualClock,
        _ call: @escaping @Sendable () async -> Output
    ) async -> Output? {
        let (result, sleeping) = (Recorder<Output>(), Latch())
        let calling = Task {
            result.append(await call())
            sleeping.open()
        }
        let watching = Task {
            await clock.waitForSleepers(count: 1)
            for _ in 0..<turnsOfOthers where result.elements.isEmpty { await Task.yield() }
            sleeping.open()
        }
        await sleeping.wait()
        // The result is read before the call is cancelled, since a cancelled call ends with an output of its own.
        let output = result.elements.first
        watching.cancel()
        calling.cancel()
        return output
    }

    /// The input with content in each part.
    private var filled: Input {
        input.with { input in
            input.queries.append(URLQueryItem(name: "wrapperlaws", value: "1"))
            input.headers.append("X-WrapperLaws", "1")
            if input.methodAndPayload.payload == nil {
                input.methodAndPayload = .put(
                    payload: Payload(.data(Data("WrapperLaws".utf8)), mediaType: .octetStream)
                )
            }
            input.delivery = .stream
        }
    }

    /// The number of yields after which other tasks have run.
    private static let turnsOfOthers = 100
}

extension Violation {
    fileprivate static func declared(_ property: String, _ detail: String) -> Violation {
        Violation(law: "the declaration is true: \(property)", detail: detail)
    }
}

extension [Violation] {
    fileprivate mutating func declared(_ property: String, _ detail: String) {
        append(.declared(property, detail))
    }
}
