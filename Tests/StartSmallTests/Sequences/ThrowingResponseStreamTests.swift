import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct ThrowingResponseStreamTests {
    private typealias Failure = CallError<TransformError<Never>>

    private let numbers = Endpoint.jsonLines(Int.self, .get("https://api.example.com/numbers"), until: { $0 == 0 })

    /// Returns the values, and the error that is thrown after them.
    private func callState(via connector: Connector) async -> ([Int], Failure?) {
        var values: [Int] = []
        do throws(Failure) {
            for try await value in numbers.values(via: connector) { values.append(value) }
        } catch {
            return (values, error)
        }
        return (values, nil)
    }

    private static let refusal = Response(statusCode: .tooManyRequests, payload: Data("no".utf8))

    private static let ends: [(Connector, [Int], Failure?)] = [
        (.stub(parts: ["1\n2\n", "3\n"]), [1, 2, 3], nil), (.stub(parts: ["1\n2\n", "3\n0\n4\n"]), [1, 2, 3], nil),
        (.stub(parts: ["1\n"], failingWith: Fixture.lost), [1], .left(Fixture.lost(after: Response(statusCode: .ok)))),
        (.stub(.hasResponse(refusal)), [], .right(.unexpectedStatusCode(refusal))),
    ]

    @Test(
        "values are returned as they arrive, until the end of the stream, or a failure, which is thrown",
        arguments: ends
    )
    private func values(_ connector: Connector, _ expected: [Int], _ expectedFailure: Failure?) async {
        let (values, failure) = await callState(via: connector)
        #expect(values == expected && failure == expectedFailure)
    }

    @Test("a part that can't be decoded is thrown, and ends the call: no value follows")
    func unreadable() async throws {
        let log = EventLog()
        let connector = Connector.stub(parts: ["1\nx\n3\n", "4\n"]).wrapped(by: .listen(to: log.listener))
        var iterator = numbers.values(via: connector).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        do throws(Failure) {
            _ = try await iterator.next()
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.right.flatMap { if case .malformedData = $0 { true } else { nil } } == true)
        }
        #expect(try await iterator.next() == nil)
        await eventually { log.names.last == "ended" }
        #expect(log.names.contains("cancelled"))
    }

    @Test("in a consumer that is cancelled, .cancelled is thrown, once")
    func cancelled() async {
        let thrown = await Task { [numbers] in
            var iterator = numbers.values(via: .silent()).makeAsyncIterator()
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(Failure) {
                _ = try await iterator.next()
                return (Failure?.none, false)
            } catch {
                return (error, (try? await iterator.next()) == .some(nil))
            }
        }.value
        #expect(thrown.0 == .left(.cancelled))
        #expect(thrown.1)
    }
}
