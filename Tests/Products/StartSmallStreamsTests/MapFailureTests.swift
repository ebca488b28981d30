import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import TestSupport
import Testing

/// Streams with an SDK's own error in place of `TransformError`.
struct MapFailureTests {
    private struct Problem: Codable, Hashable, Sendable { let message: String }

    private enum ChatError: Error, Hashable {
        case problem(String)
        case status(HTTPStatus)
        case unreadable
        case invalid

        init(_ failure: TransformError<Problem>) {
            self =
                switch failure {
                case .problem(let problem, _): .problem(problem.message)
                case .unexpectedStatusCode(let response): .status(response.statusCode)
                case .malformedData: .unreadable
                case .invalid: .invalid
                }
        }
    }

    /// An error that fits into a register, which Swift 6.3.1 passes in another way than a large one.
    private enum Tiny: Error, Hashable { case failed }

    private static let events = Endpoint.events(.get("https://api.example.com/chat"), problem: Problem.self)
        .failing { $0.type == "error" ? try $0.json(Problem.self).get() : nil }
    private static let numbers = events.map { event in
        guard let number = Int(event.data) else { throw Tiny.failed }
        return number
    }

    private static let busy = #"{"message":"busy"}"#

    private static let calls: [(Connector, [Either<CallError<ChatError>, Int>])] = [
        (.stub(parts: ["data: 1\n\n", "data: 2\n\n"]), [.right(1), .right(2)]),
        (.stub(parts: ["data: 1\n\ndata: x\n\ndata: 3\n\n"]), [.right(1), .left(.right(.unreadable)), .right(3)]),
        (
            .stub(parts: ["data: 1\n\nevent: error\ndata: \(busy)\n\ndata: 2\n\n"]),
            [.right(1), .left(.right(.problem("busy")))]
        ),
        (.stub(parts: ["event: error\ndata: x\n\ndata: 2\n\n"]), [.left(.right(.unreadable))]),
        (.stub(.json(busy, status: .tooManyRequests)), [.left(.right(.problem("busy")))]),
        (.stub(.status(.notFound)), [.left(.right(.status(.notFound)))]),
        (.stub(.json(busy)), [.left(.right(.problem("busy")))]),
        (.stub(.text("<p>", headers: ["Content-Type": "text/html"])), [.left(.right(.unreadable))]),
        (.stub(.noResponse(Fixture.lost)), [.left(.left(Fixture.lost))]),
    ]

    @Test("each failure is mapped, wherever it arises, and no error without a response is", arguments: calls)
    private func elements(_ connector: Connector, _ expected: [Either<CallError<ChatError>, Int>]) async {
        for mapped in [Self.numbers.mapFailure(ChatError.init), Self.mappedFirst] {
            #expect(await all(mapped.stream(via: connector)) == expected)
        }
    }

    /// The same endpoint, with the failure mapped before the values are.
    private static let mappedFirst = events.mapFailure(ChatError.init).map { event in
        guard let number = Int(event.data) else { throw Tiny.failed }
        return number
    }

    @Test("listeners receive the same events as without the mapping", arguments: calls)
    private func listeners(_ connector: Connector, _ expected: [Either<CallError<ChatError>, Int>]) async {
        let (log, mappedLog) = (EventLog(), EventLog())
        _ = await all(Self.numbers.stream(via: connector.wrapped(by: .listen(to: log.listener))))
        let mapped = Self.numbers.mapFailure { _ in Tiny.failed }
        _ = await all(mapped.stream(via: connector.wrapped(by: .listen(to: mappedLog.listener))))
        #expect(mappedLog.events == log.events)
    }

    @Test("a mapped failure is thrown as it is, whatever its size", arguments: calls)
    private func thrown(_ connector: Connector, _ expected: [Either<CallError<ChatError>, Int>]) async {
        let first = expected.firstIndex { $0.left != nil } ?? expected.endIndex
        let failure = first < expected.endIndex ? expected[first].left : nil
        let values = expected[..<first].compactMap(\.right)
        let (got, error) = await Self.values(of: Self.mappedFirst, via: connector)
        #expect(got == values && error == failure)
        let tiny = await Self.values(of: Self.numbers.mapFailure { _ in Tiny.failed }, via: connector)
        #expect(tiny.values == values && tiny.error == failure?.map { _ in Tiny.failed })
        var (read, direct): ([Int], CallError<Tiny>?) = ([], nil)
        do throws(CallError<Tiny>) {
            for try await value in Self.numbers.mapFailure({ _ in Tiny.failed }).values(via: connector) {
                read.append(value)
            }
        } catch {
            direct = error
        }
        #expect(read == values && direct == failure?.map { _ in Tiny.failed })
        var (sums, summed): ([Int], CallError<Tiny>?) = ([], nil)
        do throws(CallError<Tiny>) {
            let snapshots = Self.numbers.mapFailure { _ in Tiny.failed }.values(via: connector)
                .snapshots(into: 0) { $0 = $1 }
            for try await value in snapshots { sums.append(value) }
        } catch {
            summed = error
        }
        #expect(sums == values && summed == failure?.map { _ in Tiny.failed })
    }

    private static func values<Failure>(
        of endpoint: StreamEndpoint<Failure, Int>,
        via connector: Connector
    ) async -> (values: [Int], error: CallError<Failure>?) {
        var values: [Int] = []
        do throws(CallError<Failure>) {
            for try await value in endpoint.values(via: connector) { values.append(value) }
            return (values, nil)
        } catch {
            return (values, error)
        }
    }
}
