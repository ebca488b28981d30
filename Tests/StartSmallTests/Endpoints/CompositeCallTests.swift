import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

/// Calls in sequence and in parallel.
struct CompositeCallTests {
    private typealias Failure = TransformError<Never>

    private let user = Endpoint.text(.get("https://api.example.com/user"))
    private let news = Endpoint.text(.get("https://api.example.com/news"))
    private let stub = Connector.stub(
        routes: [
            "GET /user": .text("octocat"), "GET /news": .text("none"), "GET /repos/octocat": .text("a,b"),
            "GET /gone": .status(.gone),
        ]
    )
    private let gone = Endpoint.text(.get("https://api.example.com/gone"))

    @Sendable private func repositories(of login: String) -> Endpoint<Failure, String> {
        .text(.get("https://api.example.com/repos/{login}", ["login": login]))
    }

    // In sequence.

    @Test("the second call is made from the first one's value, and zip has the values of both calls")
    func flatMap() async {
        let log = EventLog()
        let listening = stub.wrapped(by: .listen(to: log.listener))
        let split = user.flatMap(repositories).map { $0.split(separator: ",") }
        #expect(await split.fetch(via: listening) == .right(["a", "b"]))
        let callState = ["started", "received", "transformed", "succeeded", "ended"]
        #expect(log.names == callState + callState && log.calls.count == 2)
        let three = user.zip(news).zip(user.flatMap(repositories)).map { both, third in [both.0, both.1, third] }
        #expect(await three.fetch(via: stub) == .right(["octocat", "none", "a,b"]))
    }

    @Test("no call is made after a failure, which is returned as it is, or changed if it is that of a transform")
    func firstFails() async {
        let sent = Recorder<Input>()
        let response = Response(statusCode: .gone)
        let refused = await gone.flatMap { _ in news }.fetch(
            via: .stub(.hasResponse(response), recording: sent)
        )
        #expect(refused.failure == .unexpectedStatusCode(response))
        let lost = await gone.flatMap { _ in news }.fetch(
            via: .stub(.noResponse(Fixture.lost), recording: sent)
        )
        #expect(lost.connectionError == Fixture.lost)
        struct Own: Error, Equatable {}
        let calls = user.flatMap { _ in gone }.mapFailure { _ in Own() }
        #expect(await calls.fetch(via: stub).failure == Own())
        #expect(await calls.fetch(via: .stub(.noResponse(Fixture.lost))).connectionError == Fixture.lost)
        #expect(sent.elements.count == 2)
    }

    @Test("the monad laws: a known value adds nothing on either side, and grouping changes nothing")
    func laws() async {
        let known = CompositeCall<Failure, String>(.right("octocat"))
        let left = await known.flatMap(repositories).fetch(via: stub)
        #expect(left == (await repositories(of: "octocat").fetch(via: stub)))
        let right = await user.flatMap { CompositeCall<Failure, String>(.right($0)) }.fetch(via: stub)
        #expect(right == (await user.fetch(via: stub)))
        let count = { @Sendable (text: String) in CompositeCall<Failure, Int>(.right(text.count)) }
        let one = await user.flatMap(repositories).flatMap(count).fetch(via: stub)
        let other = await user.flatMap { repositories(of: $0).flatMap(count) }.fetch(via: stub)
        #expect(one == .right(3))
        #expect(await CompositeCall<Failure, Int>(.right(7)).fetch() == .right(7))
        #expect(one == other)
        #expect(await CompositeCall(user).map { $0 }.fetch(via: stub) == (await user.fetch(via: stub)))
    }

    // In parallel.

    @Test("zip runs both calls at once")
    func sideBySide() async {
        let (userCalled, newsCalled) = (Latch(), Latch())
        let meeting = Connector { input in
            let isUser = input.url.path() == "/user"
            (isUser ? userCalled : newsCalled).open()
            await (isUser ? newsCalled : userCalled).wait()
            return .text("met")
        }
        #expect(await user.zip(news).map { $0 == $1 }.fetch(via: meeting) == .right(true))
    }

    @Test("the first failure cancels the other call, and is the failure of both", arguments: [true, false])
    func oneFails(isFirst: Bool) async {
        let calling = Latch()
        let log = EventLog()
        let response = Response(statusCode: .gone)
        let connector = Connector { input in
            if input.url.path() == "/gone" {
                await calling.wait()
                return .hasResponse(response)
            }
            calling.open()
            await Latch().wait()
            return .noResponse(.cancelled)
        }.wrapped(by: .listen(to: log.listener))
        let calls = isFirst ? gone.zip(user) : user.zip(gone)
        let fetched = await calls.map { "\($0)\($1)" }.fetch(via: connector)
        #expect(fetched.failure == .unexpectedStatusCode(response))
        #expect(log.names.count { $0 == "cancelled" } == 1)
        #expect(log.names.count { $0 == "ended" } == 2)
    }

    @Test("cancelling cancels both parallel calls, and the running one of a sequence")
    func cancelling() async {
        let (first, second) = (Latch(), Latch())
        let log = EventLog()
        let silent = Connector { input in
            (input.url.path() == "/user" ? first : second).open()
            await Latch().wait()
            return .noResponse(.cancelled)
        }.wrapped(by: .listen(to: log.listener))
        let got = Recorder<ConnectionError?>()
        let task = user.zip(news).flatMap { user, _ in repositories(of: user) }.fetch(via: silent) {
            got.append($0.connectionError)
        }
        await first.wait()
        await second.wait()
        task.cancel()
        await task.value
        #expect(got.elements == [.cancelled])
        #expect(log.calls.count == 2)
        for call in log.calls {
            #expect(log.events(of: call).map(\.name) == ["started", "cancelled", "failed", "ended"])
        }
    }

    // The forms of calls, and their listeners.

    @Test("value(via:) throws the failure, and the callback form calls its block once")
    func forms() async throws {
        #expect(try await user.flatMap(repositories).value(via: stub) == "a,b")
        do throws(CallError<Failure>) {
            _ = try await gone.flatMap { _ in news }.value(via: stub)
            Issue.record("no error")
        } catch {
            #expect(error.right?.response.statusCode == .gone)
        }
        let got = Recorder<String?>()
        await user.flatMap(repositories).fetch(via: stub) { got.append($0.right) }.value
        #expect(got.elements == ["a,b"])
    }

    @Test("nothing between the calls runs on the main actor")
    @MainActor func offMain() async {
        let between = Recorder<Bool>()
        let calls = user.flatMap { login in
            between.append(Thread.isMainThread)
            return repositories(of: login)
        }
        _ = await calls.map { _ in between.append(Thread.isMainThread) }.fetch(via: stub)
        #expect(between.elements == [false, false])
    }
}
