import Foundation
import StartSmall

/// The faults of one call.
struct Trouble<C: Clock<Duration>>: Sendable {
    private let kinds: [Fault.Kind]
    private let clock: C

    init(_ kinds: [Fault.Kind], clock: C) {
        (self.kinds, self.clock) = (kinds, clock)
    }

    /// Makes a call with all that goes wrong in it.
    func call(_ input: Input, _ next: Next) async -> Output {
        for kind in kinds {
            switch kind {
            case .latency(let duration): if await !pause(duration) { return .noResponse(.cancelled) }
            case .output(let output): return output
            case .truncated, .cutOff, .slow: continue
            }
        }
        let course = PayloadCourse(kinds)
        if course.isPlain { return await next(input) }
        var whole = input
        whole.destination = .memory
        let output = await next(whole)
        guard case .hasResponse(let response) = output else { return output }
        return await give(response, to: input.destination, course)
    }

    /// Gives a response in its parts, each after its wait.
    private func give(_ response: Response, to destination: Destination, _ course: PayloadCourse) async -> Output {
        let receiver = response.statusCode.isSuccess ? destination.receiver : nil
        var response = response
        let bytes = response.payload.prefix(course.end)
        let isCutOff = course.isCutOff(response.payload.count)
        response.payload = Data()
        if let failure = await receiver?.receive(.head(response)) { return .noResponse(failure) }
        var rest = bytes[...]
        while !rest.isEmpty {
            if let duration = course.pause, await !pause(duration) { return .noResponse(.cancelled) }
            let chunk = rest.prefix(course.step)
            rest = rest.dropFirst(course.step)
            if let failure = await receiver?.receive(.chunk(Data(chunk))) { return .noResponse(failure) }
        }
        if receiver == nil { response.payload = Data(bytes) }
        guard isCutOff else { return .hasResponse(response) }
        let text = "cut off after \(bytes.count) bytes"
        return .noResponse(.connectionLost(.init(domain: "Chaos", code: 0, text: text, partial: response)))
    }

    /// Waits; false if the task was cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        do { try await clock.sleep(for: min(max(duration, .zero), .longestWait)) } catch { return false }
        return true
    }
}

/// How a payload comes.
struct PayloadCourse: Hashable, Sendable {
    /// After how many bytes it ends.
    private(set) var end = Int.max

    /// After how many of them the connection is lost; nil if it is not.
    private var cut: Int?

    /// How many bytes come at once.
    private(set) var step = Int.max

    /// How long is waited before them.
    private(set) var pause: Duration?

    init(_ kinds: [Fault.Kind]) {
        for kind in kinds {
            switch kind {
            case .truncated(let count): end = min(end, count)
            case .cutOff(let count):
                cut = min(cut ?? count, count)
                end = min(end, count)
            case .slow(let bytes, let duration): (step, pause) = (bytes, duration)
            case .latency, .output: continue
            }
        }
    }

    /// Whether nothing is done to the payload.
    var isPlain: Bool { end == .max && step == .max }

    /// Whether the connection is lost before the end of a payload of so many bytes.
    func isCutOff(_ count: Int) -> Bool {
        cut.map { $0 == end && $0 < count } ?? false
    }
}
