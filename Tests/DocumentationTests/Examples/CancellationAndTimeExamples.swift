import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/CancellationAndTime.md, in order.
@Suite(.timeLimit(.minutes(1))) struct CancellationAndTimeExamples {
    private let zen = Endpoint.text(.get("https://api.github.com/zen"))

    @Test("the completion block of a cancelled task is called")
    func task() async {
        let ended = Recorder<String>()
        let connector = Connector { _ in
            await Latch().wait()
            return .text("Design for failure.")
        }

        let task = zen.fetch(via: connector) { errorOrZen in
            ended.append(errorOrZen.connectionError?.name ?? "a phrase")
        }
        task.cancel()
        await task.value

        #expect(ended.elements == ["cancelled"])
    }

    @Test("a retry whose delay exceeds the remaining time is not attempted")
    func limits() async {
        let busy = Connector.stub(.status(.serviceUnavailable, headers: ["Retry-After": "30"]))
        let connector = busy.wrapped(by: .timeout(.seconds(3)), .retry())
        let errorOrZen = await zen.fetch(via: connector)

        #expect(errorOrZen.failure?.response.statusCode == .serviceUnavailable)
    }

    @Test(
        "a wrapper reads the remaining time",
        arguments: [(Duration.seconds(10), true), (.milliseconds(500), false)]
    )
    func timeLeft(limit: Duration, isCalled: Bool) async {
        let polite = Wrapper { input, next in
            let left = next.context.remainingTime ?? .seconds(1)
            return left < .seconds(1) ? .noResponse(.timedOut(.noTimeLeft)) : await next(input)
        }

        let connector = Connector.stub(.text("Design for failure."))
            .wrapped(by: .timeout(limit, clock: ManualClock()), polite)
        #expect((await zen.fetch(via: connector).right != nil) == isCalled)
    }

    @Test("a wrapper ends a call that ignores its cancellation")
    func abandoned() async {
        let (calls, begun, end) = (Recorder<AbandonableCall>(), Latch(), Latch())
        let stubborn = Connector { _ in
            begun.open()
            await Task.detached { await end.wait() }.value
            return .text("Design for failure.")
        }

        let stoppable = Wrapper { input, next in
            let call = AbandonableCall()
            calls.append(call)
            return await call.output(of: input, next)
        }

        async let errorOrZen = zen.fetch(via: stubborn.wrapped(by: stoppable))
        await begun.wait()
        calls.elements.first?.abandon(.cancelled)
        #expect(await errorOrZen.connectionError == .cancelled)
        end.open()
    }

    @Test("a caller chooses options for one call")
    func options() async {
        let sent = Recorder<Input>()
        let server = Connector.stub(.status(.serviceUnavailable), recording: sent)

        let connector = server.wrapped(by: .retry(), .timeout(.seconds(10))).with(defaults: .retries(1))
        let report = zen.with(.timeLimit(.seconds(600)), .attemptTimeLimit(.seconds(120)))

        _ = await zen.fetch(via: connector, options: [.timeLimit(.seconds(2)), .retries(0)])
        #expect(sent.elements.count == 1)

        #expect(await connector.dryRun(zen.with(.retries(0))).unreadOptions == [])
        #expect(await connector.dryRun(report).unreadOptions == [])
    }

    @Test("a test of a retry's delay does not wait")
    func manualClock() async {
        let stub = Connector.stub(
            sequence: [.status(.serviceUnavailable, headers: ["Retry-After": "30"]), .text("Design for failure.")]
        )

        let clock = ManualClock()
        let connector = stub.wrapped(by: .retry(clock: clock, random: { 0 }))

        async let errorOrZen = zen.fetch(via: connector)
        await clock.waitForSleepers(count: 1)
        #expect(clock.remaining == [.seconds(30)])

        clock.advance(by: .seconds(30))
        #expect(await errorOrZen.right == "Design for failure.")
    }
}
