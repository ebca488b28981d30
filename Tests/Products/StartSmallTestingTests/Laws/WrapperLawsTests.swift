import Foundation
import StartSmall
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

@Suite struct WrapperLawsTests {
    private static let timeout = Duration.milliseconds(50)

    @Test("a wrapper that only calls next violates no law")
    func nothing() async {
        #expect(await WrapperLaws { Wrapper { input, next in await next(input) } }.violations() == [])
    }

    @Test("each law detects a wrapper that breaks it", arguments: Breaker.all)
    private func finds(breaker: Breaker) async {
        let violations = await WrapperLaws(timeout: Self.timeout, breaker.wrapper).violations()
        #expect(violations.contains { $0.description.contains(breaker.law) }, "\(violations)")
    }

    @Test("a law that does not apply to a wrapper can be left out")
    func chosen() async {
        let laws = WrapperLaws(unchanged: [.status(.noContent)], atMostCalls: 2) {
            Wrapper { input, next in
                _ = await next(input)
                return await next(input)
            }
        }
        let violations = await laws.violations()
        #expect(violations == [], "\(violations)")
    }

    @Test("with atMostCalls: 0, a wrapper that calls the connector inside violates a law")
    func never() async {
        #expect(await WrapperLaws(atMostCalls: 0) { Wrapper { _, _ in .text("known") } }.violations() == [])
        let calling = await WrapperLaws(atMostCalls: 0) { Wrapper { input, next in await next(input) } }.violations()
        #expect(calling.contains { $0.detail.contains("1 times, not 0...0") })
    }

    @Test(
        "a part of the input that does not arrive is a violation, unless the wrapper may change it",
        arguments: Loser.all
    )
    private func loses(loser: Loser) async {
        let wrapper = Wrapper { input, next in await next(input.with(loser.change)) }
        let expected = Violation(law: "the input reaches the inner connector", detail: "its \(loser.part) does not")
        #expect(await WrapperLaws { wrapper }.violations() == [expected])
        #expect(await WrapperLaws(changing: [loser.part]) { wrapper }.violations() == [])
    }

    @Test("a wrapper may report events of any name, also of an event of the call")
    func events() async {
        let reporting = Wrapper { input, next in
            for name in ["started", "ended"] { next.report(TestEvent(name)) }
            return await next(input)
        }
        #expect(await WrapperLaws { reporting }.violations() == [])
    }

    @Test("a wrapper may change bodies, and discard the one that it replaces")
    func bodies() async {
        let wrappers: [Wrapper] = [
            Wrapper { input, next in await next(input).mapBody { $0.map { $0 } } },
            Wrapper { input, next in
                await next(input).mapBody { body in
                    body.around { inner async throws(ConnectionError) -> Data? in try await inner.next() }
                }
            },
            Wrapper { input, next in
                let output = await next(input)
                guard input.delivery == .stream else { return output }
                output.discard()
                return .data(Data("WrapperLaws".utf8))
            },
            Wrapper { input, next in
                let output = await next(input)
                return input.delivery == .stream ? .data(Data("WrapperLaws".utf8)) : output
            },
        ]
        for wrapper in wrappers { #expect(await WrapperLaws { wrapper }.violations() == []) }
    }

    @Test("query items may be moved into the URL, in any encoding")
    func movedQueries() async {
        #expect(await WrapperLaws { .queryEncoding(.form) }.violations() == [])
    }

    @Test("a form's payload is compared by its bytes, and a changed one is a violation")
    func forms() async {
        let form = Either.multipart([.text("a", "b")]).right
        let input = Input(url: Sample.user.url, methodAndPayload: .post(payload: form))
        let violations = await WrapperLaws(of: input) { Wrapper { input, next in await next(input) } }.violations()
        #expect(violations == [])
        let losing = Wrapper { input, next in
            await next(input.with { $0.methodAndPayload = .post(payload: Either.multipart([.text("a", "c")]).right) })
        }
        #expect(await WrapperLaws(of: input) { losing }.violations().map(\.detail) == ["its payload does not"])
    }

    /// A wrapper that loses a part of the input.
    private struct Loser: Sendable {
        let part: WrapperLaws.Part
        let change: @Sendable (inout Input) -> Void

        static let all = [
            Loser(part: .method) { $0.methodAndPayload = .post(payload: $0.methodAndPayload.payload) },
            Loser(part: .payload) { $0.methodAndPayload = .put(payload: nil) },
            Loser(part: .queries) { $0.queries = [] },
        ]
    }

    /// A wrapper that breaks a law.
    private struct Breaker: Sendable, CustomTestStringConvertible {
        let law: String
        let wrapper: @Sendable () -> Wrapper

        var testDescription: String { law }

        static let all = [
            Breaker(law: "the output is that of the inner connector") {
                Wrapper { input, next in
                    let output = await next(input)
                    return output.response?.statusCode == .notFound ? .status(.ok) : output
                }
            },
            Breaker(law: "the input reaches the inner connector") {
                Wrapper { input, next in await next(Input(url: input.url, headers: input.headers)) }
            },
            Breaker(law: "2 times, not 1...1") {
                Wrapper { input, next in
                    _ = await next(input)
                    return await next(input)
                }
            }, Breaker(law: "0 times, not 1...1") { Wrapper { _, _ in .text("hello") } },
            Breaker(law: "ends with cancelled, and cancels") {
                Wrapper { input, next in await Task { await next(input) }.value }
            },
            Breaker(law: "nothing is sent after the call is cancelled") {
                Wrapper { input, next in
                    let output = await next(input)
                    return output.response?.statusCode == .found ? await Task { await next(input) }.value : output
                }
            },
            Breaker(law: "releases its resources") {
                recording { (held: Recorder<Bool>, input, next) in
                    if held.elements.last == true { return .noResponse(.cancelled) }
                    let output = await next(input)
                    held.append(output == .noResponse(.cancelled))
                    return output
                }
            },
            Breaker(law: "a listener inside observed") {
                Wrapper(wrapping: { inner in Connector { input in await WebAPI.call(with: input, via: inner) } })
            },
            Breaker(law: "a listener outside observed") {
                Wrapper(wrapping: { inner in Connector { input in await WebAPI.call(with: input, via: inner) } })
            },
            Breaker(law: "a dry run ends, and sends nothing") {
                Wrapper(wrapping: { connector in
                    connector.wrapped(
                        by: Wrapper { input, next in
                            _ = await WebAPI.call(with: input, via: connector)
                            return await next(input)
                        }
                    )
                })
            },
            Breaker(law: "a dry run ends, and sends nothing") {
                Wrapper { input, next in
                    if next.context.isDryRun { await Latch().wait() }
                    return await next(input)
                }
            },
            Breaker(law: "concurrent calls each get their own") {
                recording { (first: Recorder<Output>, input, next) in
                    if let known = first.elements.first { return known }
                    let output = await next(input)
                    first.append(output)
                    return output
                }
            }, Breaker(law: "state is separate") { shared(Recorder<Void>()) },
            Breaker(law: "discarded: the next call got") { holding() },
            Breaker(law: "a body ends as the body inside") { forgetting(Recorder<Output>()) },
            Breaker(law: "a body ends as the body inside") {
                changingBodies { body in
                    ResponseBody(
                        pulling: { () async throws(ConnectionError) -> Data? in try await body.next() },
                        abort: { body.discard() }
                    )
                }
            },
            Breaker(law: "a body ends as the body inside") {
                changingBodies { body in
                    ResponseBody(pulling: { () async throws(ConnectionError) -> Data? in
                        do { return try await body.next() } catch { return nil }
                    })
                }
            },
            Breaker(law: "a body ends as the body inside") { changingBodies { $0.map { $0.dropFirst() } } },
        ]

        /// Returns a wrapper that answers streams itself, and keeps the bodies inside.
        private static func forgetting(_ kept: Recorder<Output>) -> Wrapper {
            Wrapper { input, next in
                let output = await next(input)
                guard input.delivery == .stream else { return output }
                kept.append(output)
                return .data(Data("WrapperLaws".utf8))
            }
        }

        /// Returns a wrapper that sends one request at a time, and waits for the end of a body only if it is complete.
        private static func holding() -> Wrapper {
            recording { (running: Recorder<Int>, input, next) in
                if running.elements.reduce(0, +) > 0 { return .noResponse(.cancelled) }
                running.append(1)
                return await next(input).onEnd { if $0 != .discarded { running.append(-1) } }
            }
        }

        /// Returns a wrapper with a recorder for each wrapped connector.
        private static func recording<Element: Sendable>(
            _ around: @escaping @Sendable (Recorder<Element>, Input, Next) async -> Output
        ) -> Wrapper {
            Wrapper(wrapping: { connector in
                let recorder = Recorder<Element>()
                return connector.wrapped(by: Wrapper { input, next in await around(recorder, input, next) })
            })
        }

        private static func changingBodies(_ change: @escaping @Sendable (ResponseBody) -> ResponseBody) -> Wrapper {
            Wrapper { input, next in await next(input).mapBody(change) }
        }

        private static func shared(_ calls: Recorder<Void>) -> Wrapper {
            Wrapper { input, next in
                calls.append(())
                if calls.elements.count == 1 { _ = await next(input) }
                return await next(input)
            }
        }
    }
}
