import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

/// The laws that compare a wrapper with its declaration.
struct WrapperLawOfDeclarationsTests {
    private static let timeout = Duration.milliseconds(50)

    @Test("a false declaration is detected", .exhaustive, arguments: Liar.all)
    private func finds(liar: Liar) async {
        let clock = ManualClock()
        let laws = WrapperLaws(clock: clock, timeout: Self.timeout) { liar.wrapper(liar.declared, clock) }
        let violations = await laws.violations().filter { $0.law.hasPrefix("the declaration is true") }
        #expect(violations.contains { $0.law == "the declaration is true: \(liar.law)" }, "\(violations)")
    }

    @Test(
        "the same wrapper with a true declaration, or without one, violates no law on declarations",
        .exhaustive,
        arguments: Liar.all
    )
    private func accepts(liar: Liar) async {
        for declaration in [liar.truth, nil] {
            let clock = ManualClock()
            // Other laws wait for a wrapper whose clock stands still.
            let timeout = liar.truth.waits == .delay ? Self.timeout : WrapperLaws.defaultTimeout
            let laws = WrapperLaws(clock: clock, timeout: timeout) { liar.wrapper(declaration, clock) }
            let violations = await laws.violations().filter { $0.law.hasPrefix("the declaration is true") }
            #expect(violations == [])
        }
    }

    @Test("a wrapper that sends its own request in a dry run violates a law")
    func dryRun() async {
        let calling = Wrapper(wrapping: { connector in
            connector.wrapped(
                by: Wrapper { input, next in
                    _ = await WebAPI.call(with: input, via: connector)
                    return await next(input)
                }
            )
        })
        let violations = await WrapperLaws(atMostCalls: 2) { calling }.violations()
        #expect(violations.contains { $0.law == "a dry run ends, and sends nothing" }, "\(violations)")
        let checking = Wrapper(wrapping: { connector in
            connector.wrapped(
                by: Wrapper { input, next in
                    if !next.context.isDryRun { _ = await WebAPI.call(with: input, via: connector) }
                    return await next(input)
                }
            )
        })
        let none = await WrapperLaws(atMostCalls: 2) { checking }.violations()
        #expect(!none.contains { $0.law == "a dry run ends, and sends nothing" })
    }

    @Test("a dry run that waits forever violates a law")
    func endless() async {
        let waiting = Wrapper { input, next in
            if next.context.isDryRun { await Latch().wait() }
            return await next(input)
        }
        let violations = await WrapperLaws(timeout: Self.timeout) { waiting }.violations()
        #expect(violations.contains { $0.law == "a dry run ends, and sends nothing" }, "\(violations)")
    }

    /// A wrapper with a false declaration.
    private struct Liar: Sendable, CustomTestStringConvertible {
        let law: String
        let declared: WrapperDeclaration
        let truth: WrapperDeclaration
        let wrapper: @Sendable (WrapperDeclaration?, ManualClock) -> Wrapper

        var testDescription: String { law }

        private init(
            _ law: String,
            _ declared: WrapperDeclaration = WrapperDeclaration("liar"),
            truth: WrapperDeclaration,
            _ wrapper: @escaping @Sendable (WrapperDeclaration?, ManualClock) -> Wrapper
        ) {
            (self.law, self.declared, self.truth, self.wrapper) = (law, declared, truth, wrapper)
        }

        private static func changing(
            _ part: WrapperDeclaration.Aspect,
            declared: Set<WrapperDeclaration.Aspect> = [],
            _ change: @escaping @Sendable (inout Input) -> Void
        ) -> Liar {
            Liar(
                "no change of \(part)",
                WrapperDeclaration("liar", changes: declared),
                truth: WrapperDeclaration("truth", changes: [part])
            ) { declaration, _ in
                Wrapper(declaration) { input, next in await next(input.with(change)) }
            }
        }

        static let all =
            [
                Liar("no repetition", truth: WrapperDeclaration("truth", repeats: .afterFailure)) { declaration, _ in
                    Wrapper(declaration) { input, next in
                        let output = await next(input)
                        return output.response?.statusCode == .serviceUnavailable ? await next(input) : output
                    }
                },
                Liar(
                    "no short circuit",
                    WrapperDeclaration("liar", changes: [.response]),
                    truth: WrapperDeclaration("truth", changes: [.response], shortCircuits: .storedResponse)
                ) { declaration, _ in
                    Wrapper(
                        declaration,
                        wrapping: { connector in
                            let first = Recorder<Output>()
                            return connector.wrapped(
                                by: Wrapper { input, next in
                                    if let known = first.elements.first { return known }
                                    first.append(await next(input))
                                    return first.elements[0]
                                }
                            )
                        }
                    )
                },
                Liar("no waiting", truth: WrapperDeclaration("truth", waits: .delay)) { declaration, clock in
                    Wrapper(declaration) { input, next in
                        do { try await clock.sleep(for: .seconds(1)) } catch { return .noResponse(.cancelled) }
                        return await next(input)
                    }
                },
                Liar("no waiting", truth: WrapperDeclaration("truth", waits: .permit)) { declaration, _ in
                    Wrapper.limitConcurrency(1).redeclared(declaration)
                },
                Liar(
                    "a time limit of 10.0 seconds",
                    WrapperDeclaration("liar", changes: [.response], timeLimit: .seconds(10)),
                    truth: WrapperDeclaration("truth", changes: [.response], timeLimit: .seconds(20))
                ) { declaration, clock in
                    Wrapper.timeout(.seconds(20), clock: clock).redeclared(declaration)
                },
                Liar("no change of the response", truth: WrapperDeclaration("truth", changes: [.response])) {
                    declaration,
                    _ in
                    Wrapper(declaration) { input, next in
                        let output = await next(input)
                        return output.response?.statusCode == .tooManyRequests ? .status(.ok) : output
                    }
                },
                Liar(
                    "credentials are among the declared changes",
                    WrapperDeclaration("liar", secrets: [.header("X-Ticket")]),
                    truth: WrapperDeclaration("truth", changes: [.header("x-ticket")], secrets: [.header("X-Ticket")])
                ) { declaration, _ in
                    Wrapper(declaration) { input, next in await next(input) }
                },
                changing(.header("A")) { $0.headers["A"] = "b" },
                changing(.header("X-WrapperLaws"), declared: [.header("A")]) { $0.headers["X-WrapperLaws"] = nil },
                changing(.query("a")) { $0.queries.append(URLQueryItem(name: "a", value: nil)) },
                changing(.query("wrapperlaws"), declared: [.url, .headers]) { $0.queries = [] },
                changing(.url, declared: [.queries]) { $0.url.append(path: "a") },
                changing(.method) { input in
                    if input.methodAndPayload == .get { input.methodAndPayload = .head }
                },
                changing(.payload) { input in
                    if input.methodAndPayload.payload != nil { input.methodAndPayload = .put(payload: nil) }
                },
                changing(.delivery) { $0.payloadLimit = 10 },
                changing(.delivery, declared: [.payload]) { $0.delivery = .memory },
            ]
    }
}

extension Wrapper {
    /// Returns this wrapper with another declaration, or without one.
    fileprivate func redeclared(_ declaration: WrapperDeclaration?) -> Wrapper {
        declaration.map(declared) ?? Wrapper(wrapping: { [self] in $0.wrapped(by: self) })
    }
}
