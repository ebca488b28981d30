import StartSmall
import StartSmallStreams
import StartSmallTesting
import Testing

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/StreamingAnswers.md.
@Suite(.timeLimit(.minutes(1))) struct StreamingAnswersExamples {
    private let question = [ChatMessage(role: "user", content: "Hello?")]

    @Test("each piece of an answer is shown, and the call succeeds at [DONE]")
    func done() async throws {
        let chat = Chat.answer(to: question)
        let log = EventLog()
        let server = Connector.stub(
            chat.stub(parts: [
                "data: {\"choices\": [{\"delta\": {\"content\": \"Hel\"}}]}\n\n",
                "data: {\"choices\": [{\"delta\": {\"content\": \"lo.\"}}]}\n\ndata: [DONE]\n\n",
            ])
        )

        let shown = Recorder<String>()
        try await Chat.reply(to: question, via: server.wrapped(by: .listen(to: log.listener))) { shown.append($0) }

        #expect(shown.elements == ["Hel", "lo."])
        #expect(log.names.contains("succeeded"))
    }

    @Test("an error event is thrown after the pieces before it were shown")
    func errorInTheStream() async {
        let chat = Chat.answer(to: question)
        let server = Connector.stub(
            chat.stub(parts: [
                "data: {\"choices\": [{\"delta\": {\"content\": \"Hel\"}}]}\n\n",
                "data: {\"error\": {\"message\": \"overloaded\"}}\n\n",
            ])
        )
        let (shown, log) = (Recorder<String>(), EventLog())

        let error = await #expect(throws: ChatError.self) {
            try await Chat.reply(to: question, via: server.wrapped(by: .listen(to: log.listener))) { shown.append($0) }
        }

        #expect(shown.elements == ["Hel"])
        #expect(error?.problem?.error.message == "overloaded")
        #expect(log.names.suffix(3) == ["invalid", "failed", "ended"])
    }

    @Test("cancelling the task cancels the call")
    func cancelled() async {
        let (begun, ended) = (Latch(), Latch())
        let question = question
        let server = Connector.silent(begun: begun, ended: ended)

        let task = Task { try await Chat.reply(to: question, via: server) { _ in } }
        await begun.wait()
        task.cancel()

        await ended.wait()
        await #expect(throws: ChatError.call(.left(.cancelled))) { try await task.value }
    }

    /// The app's connector; compiled only, since it needs the network.
    func use(server: URL, keychain: Keychain) async throws {
        let patient = ConnectionOptions(idleTimeout: .seconds(120))
        let app = Connector.standard(over: .engine(options: patient)).wrapped(
            by: .retry(.standardOrThrottled),
            .timeout(untilHead: .seconds(120)),
            .baseURL(server),
            .bearer(to: .origin(server)) { try await keychain.token() }
        )
        try await Chat.reply(to: question, via: app) { print($0, terminator: "") }
    }

    struct Keychain: Sendable {
        func token() async throws -> String { "t0k3n" }
    }
}

struct ChatMessage: Codable, Hashable, Sendable {
    let role: String
    let content: String
}

struct ChatRequest: Encodable, Sendable {
    let model: String
    let messages: [ChatMessage]
    let stream: Bool
}

struct ChatChunk: Decodable, Sendable {
    struct Choice: Decodable, Sendable {
        struct Delta: Decodable, Sendable { let content: String? }
        let delta: Delta
    }
    let choices: [Choice]
}

struct ChatProblem: Codable, Hashable, Sendable {
    struct Message: Codable, Hashable, Sendable { let message: String }
    let error: Message
}

enum ChatError: Error, Equatable {
    case call(CallError<TransformError<ChatProblem>>)
    case unreadable(EventDecodingError)

    var problem: ChatProblem? {
        if case .call(let error) = self { error.right?.problem } else { nil }
    }
}

enum Chat {
    static func answer(to messages: [ChatMessage]) -> StreamEndpoint<ChatProblem, ServerSentEvent> {
        let request = ChatRequest(model: "small", messages: messages, stream: true)
        return Endpoint.events(
            .post("/v1/chat/completions", payload: .json(request)),
            problem: ChatProblem.self,
            until: { $0.data == "[DONE]" }
        )
        .failing { event in event.json(ChatProblem.self).right }
    }

    static func reply(
        to messages: [ChatMessage],
        via connector: Connector,
        show: @Sendable (String) -> Void
    ) async throws(ChatError) {
        for await errorOrEvent in answer(to: messages).stream(via: connector) {
            switch errorOrEvent.map({ $0.json(ChatChunk.self) }) {
            case .left(let error): throw .call(error)
            case .right(.left(let unreadable)): throw .unreadable(unreadable)
            case .right(.right(let chunk)):
                for choice in chunk.choices { show(choice.delta.content ?? "") }
            }
        }
    }
}
