import StartSmall
import StartSmallCore
import Foundation

extension WrapperLaws {
    private enum Moment: Hashable, Sendable {
        /// During the first call of the inner connector, which responds immediately.
        case response

        /// During the first call of the inner connector, which responds only after other tasks have run.
        case lateResponse

        /// During the report of the event with this number, from 1.
        case event(Int)

        static let all: [Moment] = [.response, .lateResponse, .event(1), .event(2), .event(3)]
    }

    func stopped() async -> [String] {
        var details: [String] = []
        for output in Self.outputsThatAskForMore {
            for moment in Moment.all {
                let count = await sentTooLate(answering: output, cancelledAt: moment)
                if count == 0 { continue }
                let sent = count.map { "\($0) requests" } ?? "the call does not end"
                details.append("\(sent), cancelled at \(moment), for the output \(output)")
            }
        }
        return details
    }

    /// Returns the number of requests that reach the inner connector after cancellation; nil if the call does not end.
    private func sentTooLate(answering output: Output, cancelledAt moment: Moment) async -> Int? {
        let (calls, ready) = (Recorder<Task<Output, Never>>(), Latch())
        let (cancelled, begun, ended, late) = (Recorder<Void>(), Recorder<Void>(), Recorder<Void>(), Recorder<Void>())
        let cancel = { @Sendable in
            for call in calls.elements { call.cancel() }
            cancelled.append(())
        }
        let inside = Connector { _ in
            begun.append(())
            defer { ended.append(()) }
            if !cancelled.elements.isEmpty { late.append(()) }
            switch moment {
            case .response: cancel()
            case .lateResponse:
                cancel()
                for _ in 0..<Self.turns { await Task.yield() }
            case .event: break
            }
            return output
        }
        let events = Recorder<Void>()
        let listener = Listener { _, _ in
            events.append(())
            if moment == .event(events.elements.count) { cancel() }
        }
        let connector = inside.wrapped(by: .listen(to: listener), make())
        let call = Task { [input] in
            await ready.wait()
            return await WebAPI.call(with: input, via: connector)
        }
        // A call that does not end would wait for its clock forever.
        defer { call.cancel() }
        calls.append(call)
        ready.open()
        guard await self.ended({ await call.value }) != nil else { return nil }
        // A wrapper may have left a running task behind.
        for _ in 0..<Self.turns { await Task.yield() }
        while begun.elements.count > ended.elements.count { await Task.yield() }
        for _ in 0..<Self.turns { await Task.yield() }
        return late.elements.count
    }

    /// The number of yields: more than the tasks of one call need.
    private static let turns = 20

    /// Outputs after which a wrapper may send another request.
    private static let outputsThatAskForMore: [Output] =
        [301, 302, 303, 307, 308].map { .status(.from(code: $0), headers: ["Location": "/next"]) }
        + [401, 403, 407, 408, 416, 421, 425, 429, 500, 502, 503, 504].map {
            .status(.from(code: $0), headers: ["Retry-After": "0"])
        } + [
            .text("hello"), .noResponse(.connectionLost(.init(domain: "WrapperLaws", code: 1, text: "lost"))),
            .noResponse(.timedOut(.init(domain: "WrapperLaws", code: 2, text: "late"))),
        ]
}
