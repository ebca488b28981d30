import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The Swift blocks on custom wrappers in Sources/StartSmall/StartSmall.docc/Wrappers.md.
@Suite(.timeLimit(.minutes(1))) struct OwnWrapperExamples {
    private let phrase = Output.text("Design for failure.")
    private let zen = Endpoint.text(.get("https://api.example.com/zen"))

    @Test("a wrapper refuses a request with a reason, reports an event, and the call is not retried")
    func refusing() async {
        let (log, sent) = (EventLog(), Recorder<Input>())
        let connector = Connector.stub(phrase, recording: sent)
            .wrapped(by: .listen(to: log.listener), .retry(random: { 0 }), .quota { false })

        let fetched = await zen.fetch(via: connector)

        #expect(fetched.connectionError == .requestRefused(reason: "the quota of this month is used up"))
        #expect(sent.elements.isEmpty)
        #expect(log.names == ["started", "overQuota", "noResponse", "failed", "ended"])
    }

    @Test("a wrapper inspects each part of a stream")
    func counting() async {
        let counts = Recorder<Int>()

        let counting = Wrapper { input, next in
            guard case .consumer(let consumer) = input.destination else { return await next(input) }
            let counted = consumer.wrapped { part, take in
                if case .chunk(let bytes) = part { counts.append(bytes.count) }
                try await take(part)
            }
            return await next(input.with { $0.destination = .consumer(counted) })
        }

        let taken = Recorder<PayloadConsumer.Part>()
        let consumer = PayloadConsumer { taken.append($0) }
        let streamed = zen.with { $0.destination = .consumer(consumer) }
        _ = await streamed.fetch(via: Connector.stub(phrase).wrapped(by: counting))
        #expect(counts.elements == [19])
        #expect(taken.elements.count == 2)
    }

    @Test("calls share a login")
    func sharing() async {
        let (logins, sent, gate) = (Recorder<Int>(), Recorder<Input>(), Latch())
        let logIn = { @Sendable () async -> String in
            logins.append(1)
            await gate.wait()
            return "s3ss10n"
        }

        let session = SharedTask { await logIn() }
        let signed = Wrapper { input, next in
            guard let token = await session.value() else { return .noResponse(.cancelled) }
            return await next(input.with { $0.headers["X-Session"] = token })
        }

        let connector = Connector.stub(phrase, recording: sent).wrapped(by: signed)
        async let first = zen.fetch(via: connector)
        while logins.elements.isEmpty { await Task.yield() }
        gate.open()
        #expect(await first.right == "Design for failure.")
        #expect(logins.elements == [1])
        #expect(sent.elements.map { $0.headers["X-Session"] } == ["s3ss10n"])
    }

    @Test("a response's challenges are parsed")
    func challenges() {
        let headers: HTTPHeaders = ["WWW-Authenticate": "Basic realm=\"api\", Bearer error=\"invalid_token\""]
        let response = Response(statusCode: .unauthorized, headers: headers)

        let bearer = response.challenges.first { $0.isOf(scheme: "Bearer") }
        #expect(bearer?["error"] == "invalid_token")
    }
}

extension Wrapper {
    static func quota(_ take: @escaping @Sendable () -> Bool) -> Wrapper {
        Wrapper { input, next in
            if take() { return await next(input) }
            next.report(.custom(name: "overQuota", detail: input.url.path()))
            return .noResponse(.requestRefused(reason: "the quota of this month is used up"))
        }
    }
}
