import Foundation
import StartSmall
import StartSmallForms
@testable import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

/// A way in which a call can proceed, and its events (parity B11: AbstractHTTP's order).
struct Course: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let endpoint: Endpoint<TransformError<Never>, String>
    let output: Output

    /// The events between the start and the end.
    let events: [Event]

    init(
        _ name: String,
        of endpoint: Endpoint<TransformError<Never>, String> = Fixture.endpoint,
        with output: Output = .hasResponse(Fixture.ok),
        _ events: [Event]
    ) {
        (testDescription, self.endpoint, self.output, self.events) = (name, endpoint, output, events)
    }

    var begin: [Event] { [.started(endpoint.input.right)] + events }
    var end: [Event] { [events.last == .transformed ? .succeeded : .failed, .ended] }

    static let all: [Course] = {
        let missing = Response(statusCode: .notFound)
        let garbled = Response(statusCode: .ok, payload: Data([0xFF]))
        let unbuilt = ConnectionError.malformedURL(debugInfo: "no host")
        // The context of a call with files knows those.
        let form = Either.multipart([.file("a", URL(filePath: "/a"))]).right
        let upload = Input(url: Fixture.url, methodAndPayload: .post(payload: form))
        let polite = Fixture.endpoint.validated { $0 == "hello" ? "too polite" : nil }
        return [
            Course("success", [.received(Fixture.ok), .transformed]),
            Course("upload of a file", of: .text(.right(upload)), [.received(Fixture.ok), .transformed]),
            Course("connection error", with: .noResponse(Fixture.lost), [.noResponse(Fixture.lost)]),
            Course("rejected status", with: .hasResponse(missing), [.received(missing), .rejected(missing)]),
            Course(
                "malformed data",
                with: .hasResponse(garbled),
                [.received(garbled), .malformed(garbled, debugInfo: malformedInfo(garbled))]
            ),
            Course("rejected model", of: polite, [.received(Fixture.ok), .invalid(Fixture.ok, reason: "too polite")]),
            Course("an input that could not be built", of: .text(.left(unbuilt)), [.noResponse(unbuilt)]),
        ]
    }()

    private static func malformedInfo(_ response: Response) -> String {
        guard case .malformedData(_, let info)? = (response.text() as Either<TransformError<Never>, String>).left else {
            return "not malformed"
        }
        return info
    }
}

struct EventOrderTests {
    @Test("the async form reports each event in order", .parity("B11"), arguments: Course.all)
    func asynchronous(_ course: Course) async {
        let log = EventLog()
        _ = await course.endpoint.fetch(via: .stub(course.output).wrapped(by: .listen(to: log.listener)))
        #expect(log.events == course.begin + course.end)
    }

    @Test("with the callback form, the block runs before succeeded or failed", .parity("B11"), arguments: Course.all)
    func callback(_ course: Course) async {
        let log = EventLog()
        let block = Event.reported(TestEvent("block"))
        await course.endpoint.fetch(via: .stub(course.output).wrapped(by: .listen(to: log.listener))) { _ in
            log.listener.observe(block, CallID(rawValue: 0))
        }.value
        #expect(log.events == course.begin + [block] + course.end)
    }

    @Test("a custom failure is reported as invalid, with its own description", .parity("B11"))
    func ownFailure() async {
        struct TooLate: Error {}
        let log = EventLog()
        let endpoint = Endpoint<TooLate, Int>(.right(Fixture.input)) { _ in .left(TooLate()) }
        _ = await endpoint.fetch(via: .stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: log.listener)))
        #expect(log.events.dropFirst(2) == [.invalid(Fixture.ok, reason: "TooLate()"), .failed, .ended])
    }
}

/// Moments of cancellation, and the events of the cancelled calls (parity B20).
struct CancellationOrderTests {
    private let log = EventLog()
    private let start = Event.started(Fixture.input)
    private let end: [Event] = [.cancelled, .failed, .ended]

    /// Returns the events of a call during which `moment` cancels its own task. Both forms must have the same events,
    /// but for the block.
    private func events(cancelling moment: @escaping @Sendable (Event) -> Bool) async -> [Event] {
        let canceller = Listener { (event: Event) in
            if moment(event) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        func stub(_ log: EventLog) -> Connector {
            .stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: log.listener), .listen(to: canceller))
        }
        let fetched = await Task { await Fixture.endpoint.fetch(via: stub(log)) }.value
        #expect(fetched == .left(.left(.cancelled)))
        let callbackLog = EventLog()
        let got = Recorder<Fetched<TransformError<Never>, String>>()
        await Fixture.endpoint.fetch(via: stub(callbackLog)) { got.append($0) }.value
        #expect(got.elements == [.left(.left(.cancelled))])
        #expect(callbackLog.events == log.events)
        return log.events
    }

    @Test("cancelled before the start: the connector is not called", .parity("B20"))
    func before() async {
        let sent = Recorder<Input>()
        let stub = Connector.stub(.hasResponse(Fixture.ok), recording: sent).wrapped(by: .listen(to: log.listener))
        let fetched = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Fixture.endpoint.fetch(via: stub)
        }.value
        #expect(fetched == .left(.left(.cancelled)))
        #expect(log.events == [start] + end)
        #expect(sent.elements.isEmpty)
    }

    @Test("cancelled by a listener of the start: the connector is not called", .parity("B20"))
    func atStart() async {
        #expect(await events { $0.name == "started" } == [start] + end)
    }

    @Test(
        "cancelled while waiting for a connector that answers nevertheless: its answer does not count",
        .parity("B20")
    )
    func duringUnnoticed() async {
        let stub = Connector { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .hasResponse(Fixture.ok)
        }
        let fetched = await Task { await Fixture.endpoint.fetch(via: stub.wrapped(by: .listen(to: log.listener))) }
            .value
        #expect(fetched == .left(.left(.cancelled)))
        #expect(log.events == [start] + end)
    }

    @Test("cancelled after the response: it is not transformed", .parity("B20"))
    func after() async {
        #expect(await events { $0.name == "received" } == [start, .received(Fixture.ok)] + end)
    }

    @Test("cancelled by the callback form's own block", .parity("B20"))
    func inBlock() async {
        let stub = Connector.stub(.hasResponse(Fixture.ok)).wrapped(by: .listen(to: log.listener))
        await Fixture.endpoint.fetch(via: stub) { _ in withUnsafeCurrentTask { $0?.cancel() } }.value
        #expect(log.events == [start, .received(Fixture.ok), .transformed] + end)
    }

    @Test("the task of the callback form cancels the call, and the block gets that failure, once", .parity("B20"))
    func returnedTask() async {
        let waiting = Latch()
        let got = Recorder<Fetched<TransformError<Never>, String>>()
        let stub = Connector.silent(begun: waiting)
        let task = Fixture.endpoint.fetch(via: stub.wrapped(by: .listen(to: log.listener))) { got.append($0) }
        await waiting.wait()
        task.cancel()
        await task.value
        #expect(got.elements == [.left(.left(.cancelled))])
        #expect(log.events == [start] + end)
    }

    @Test("2,000 calls cancelled at random moments all end, each with one ended event", .parity("B20"))
    func storm() async {
        let stub = Connector { _ in
            for _ in 0..<Int.random(in: 0...40) {
                if Task.isCancelled { return .noResponse(.cancelled) }
                await Task.yield()
            }
            return .hasResponse(Fixture.ok)
        }.wrapped(by: .listen(to: log.listener))
        await withTaskGroup { group in
            for _ in 0..<2_000 {
                group.addTask {
                    let call = Task { await Fixture.endpoint.fetch(via: stub) }
                    for _ in 0..<Int.random(in: 0...20) { await Task.yield() }
                    call.cancel()
                    _ = await call.value
                }
            }
        }
        let ends = log.observed.elements.filter { $0.event == .ended }.map(\.call)
        #expect(ends.count == 2_000)
        #expect(Set(ends).count == 2_000)
        let courses = Dictionary(grouping: log.observed.elements, by: \.call).values.map { $0.map(\.event.name) }
        #expect(courses.allSatisfy { $0.first == "started" && $0.last == "ended" })
        #expect(courses.contains { $0.contains("cancelled") } && courses.contains { $0.contains("succeeded") })
    }
}
