import Foundation
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

        let error = await #expect(throws: CallError<ChatError>.self) {
            try await Chat.reply(to: question, via: server.wrapped(by: .listen(to: log.listener))) { shown.append($0) }
        }

        #expect(shown.elements == ["Hel"])
        #expect(error == .right(.problem(ChatProblem(error: .init(message: "overloaded")))))
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
        await #expect(throws: CallError<ChatError>.left(.cancelled)) { try await task.value }
    }

    @Test("the arguments of a tool are shown as they arrive, and an event of an unknown type is skipped")
    func arguments() async throws {
        let request = ChatRequest(model: "small", messages: question, stream: true)
        let pieces = [#"{\"pa"#, #"th\": \"a.sw"#, #"ift\", \"content\": \"\\"#, #"n\"}"#]
        let parts = pieces.map { "event: answer.arguments.delta\ndata: {\"delta\": \"\($0)\"}\n\n" }
        let server = Connector.stub(parts: ["event: ping\ndata: {}\n\n"] + parts)
        var shown: [String] = []

        let events = Endpoint.events(.post("/v1/answers", payload: .json(request)), problem: ChatProblem.self)
            .failing { event in event.type == "error" ? try event.json(ChatProblem.self).get() : nil }
            .typed(by: AnswerEvent.types)

        for try await answer in events.values(via: server).snapshots(into: Answer(), { $0.add($1) }) {
            guard let json = answer.arguments.completed() else { continue }
            let edit = try JSONDecoder().decode(Edit.self, from: json)
            shown.append("\(edit.path ?? "…"): \(edit.content ?? "…")")
        }

        #expect(shown == ["…: …", "a.sw: …", "a.swift: ", "a.swift: \n"])
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
    case problem(ChatProblem)
    case status(HTTPStatus)
    case unreadable(reason: String)

    init(_ failure: TransformError<ChatProblem>) {
        switch failure {
        case .problem(let problem, _): self = .problem(problem)
        case .unexpectedStatusCode(let response): self = .status(response.statusCode)
        case .malformedData(_, let reason), .invalid(_, let reason): self = .unreadable(reason: reason)
        }
    }
}

struct Piece: Decodable, Sendable {
    let delta: String
}

enum AnswerEvent: Sendable {
    case text(Piece)
    case arguments(Piece)
    case other(ServerSentEvent)

    static let types = EventTypes(otherwise: AnswerEvent.other)
        .decoding("answer.text.delta", as: AnswerEvent.text)
        .decoding("answer.arguments.delta", as: AnswerEvent.arguments)
}

struct Answer: Sendable {
    var text = ""
    var arguments = PartialJSON()

    mutating func add(_ event: AnswerEvent) {
        switch event {
        case .text(let piece): text += piece.delta
        case .arguments(let piece): try? arguments.append(piece.delta)
        case .other: break
        }
    }
}

struct Edit: Decodable, Sendable {
    let path: String?
    let content: String?
}

enum Chat {
    static func answer(to messages: [ChatMessage]) -> StreamEndpoint<ChatError, ChatChunk> {
        let request = ChatRequest(model: "small", messages: messages, stream: true)
        return Endpoint.events(
            .post("/v1/chat/completions", payload: .json(request)),
            problem: ChatProblem.self,
            until: { $0.data == "[DONE]" }
        )
        .failing { event in event.json(ChatProblem.self).right }
        .map { event in try event.json(ChatChunk.self).get() }
        .mapFailure(ChatError.init)
    }

    static func reply(
        to messages: [ChatMessage],
        via connector: Connector,
        show: @Sendable (String) -> Void
    ) async throws(CallError<ChatError>) {
        for try await chunk in answer(to: messages).values(via: connector) {
            for choice in chunk.choices { show(choice.delta.content ?? "") }
        }
    }
}
