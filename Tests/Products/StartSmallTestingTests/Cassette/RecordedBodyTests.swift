import Foundation
import StartSmall
import StartSmallStreams
import StartSmallTesting
import Testing

/// Bodies in a cassette: what arrived until the end of each, whichever end it was.
@Suite(.timeLimit(.minutes(1))) struct RecordedBodyTests {
    /// The ways in which a reader ends a body after its first chunk.
    enum Ending: String, CaseIterable, Sendable {
        case read, broken, finished, discarded, released, interrupted, cancelled, unread
        case leftAfterLastChunk

        /// The recorded payload and failure.
        var recorded: (payload: String, failure: RecordedFailure?) {
            switch self {
            case .read: ("onetwo", nil)
            case .broken: ("onetwo", RecordedFailure(RecordedBodyTests.lost))
            case .finished: ("one", nil)
            case .discarded, .released, .cancelled: ("one", RecordedFailure(.cancelled))
            case .interrupted: ("one", RecordedFailure(RecordedBodyTests.lost))
            case .unread: ("", RecordedFailure(.cancelled))
            case .leftAfterLastChunk: ("onetwo", RecordedFailure(.cancelled))
            }
        }
    }

    private static let lost = ConnectionError.connectionLost(.init(domain: "stub", code: 7, text: "lost"))
    private static let head = Response(statusCode: .ok, headers: ["Content-Type": "text/plain"])
    private static let stream = Sample.user.with { $0.delivery = .stream }

    private let file = TestFile()

    private func server(_ ending: Ending = .read) -> Connector {
        Connector { _ in
            let failure = ending == .broken ? Self.lost : nil
            return .open(Self.head, ["one".utf8, "two".utf8], trailers: ["ETag": "1"], then: failure)
        }
    }

    private func exchange() throws -> Exchange? { try Cassette(at: file.url).exchanges.first }

    /// Calls a connector, and ends the body.
    private func stream(_ connector: Connector, _ ending: Ending) async {
        let output = await WebAPI.call(with: Self.stream, via: connector)
        guard let body = output.response?.body, ending != .unread else { return }
        _ = try? await body.next()
        switch ending {
        case .read, .broken: while (try? await body.next()) != nil {}
        case .finished: body.finish()
        case .discarded: body.discard()
        case .interrupted: body.interrupt(with: Self.lost)
        case .cancelled:
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try? await body.next()
            }.value
        case .leftAfterLastChunk: _ = try? await body.next()
        case .released, .unread: return
        }
    }

    @Test(
        "a body is in the file when its call ends, once and not before, with what had arrived",
        arguments: Ending.allCases
    )
    func recorded(ending: Ending) async throws {
        let (before, atEnd) = (Recorder<String>(), Recorder<[Exchange]>())
        let reading = Listener { [file] event, _ in
            if case .receivedHead = event { before.append(file.text) }
            if event == .ended { atEnd.append((try? Cassette(at: file.url).exchanges) ?? []) }
        }
        let recording = server(ending).wrapped(by: .listen(to: reading), .record(to: file.url))
        await stream(recording, ending)
        var response = Self.head
        response.payload = Data(ending.recorded.payload.utf8)
        response.trailers = ending == .read ? ["ETag": "1"] : [:]
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map(\.response) == [response])
        #expect(exchanges.map(\.failure) == [ending.recorded.failure])
        #expect(before.elements == [""] && atEnd.elements == [exchanges])
    }

    @Test("bodies are in the order of their requests, whichever ends first")
    func order() async throws {
        let recording = server().wrapped(by: .record(to: file.url))
        var bodies: [ResponseBody] = []
        for path in ["1", "2", "3"] {
            var input = Sample.input("https://a/\(path)")
            input.delivery = .stream
            bodies.append(try #require(await WebAPI.call(with: input, via: recording).response?.body))
        }
        for body in bodies.reversed() { body.discard() }
        #expect(try Cassette(at: file.url).exchanges.map { $0.input.url.path() } == ["/1", "/2", "/3"])
    }

    @Test("a body that is ended while it is read is recorded once, with a part of its bytes")
    func raced() async throws {
        let recording = server().wrapped(by: .record(to: file.url))
        for _ in 0..<50 {
            let body = try #require(await WebAPI.call(with: Self.stream, via: recording).response?.body)
            let reading = Task { while (try? await body.next()) != nil {} }
            await Task.yield()
            body.interrupt(with: Self.lost)
            await reading.value
        }
        let payloads = try Cassette(at: file.url).exchanges.map { String(decoding: $0.response.payload, as: UTF8.self) }
        #expect(payloads.count == 50 && payloads.allSatisfy { "onetwo".hasPrefix($0) })
    }

    @Test("the reader of a body learns at its end that the file can't be written; the next recorder begins anew")
    func unwritable() async throws {
        let recording = server().wrapped(by: .record(to: file.url))
        let body = try #require(await WebAPI.call(with: Self.stream, via: recording).response?.body)
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
        #expect(try await [body.next(), body.next()] == [Data("one".utf8), Data("two".utf8)])
        do {
            _ = try await body.next()
            Issue.record("the body is complete")
        } catch {
            #expect(error.name == "unwritableDestination")
        }
        try FileManager.default.removeItem(at: file.url)
        #expect(await read(server().wrapped(by: .record(to: file.url))).error == nil)
        #expect(try Cassette(at: file.url).exchanges.count == 1)
    }

    // MARK: replays

    /// Reads a stream, and returns its bytes, its error, and its trailers.
    private func read(_ connector: Connector) async -> (text: String, error: ConnectionError?, trailers: HTTPHeaders) {
        let output = await WebAPI.call(with: Self.stream, via: connector)
        guard let body = output.response?.body else { return ("", output.connectionError, [:]) }
        var bytes = Data()
        do throws(ConnectionError) {
            while let chunk = try await body.next() { bytes += chunk }
            return (String(decoding: bytes, as: UTF8.self), nil, body.trailers)
        } catch {
            return (String(decoding: bytes, as: UTF8.self), error, body.trailers)
        }
    }

    @Test("a replayed stream has the recorded bytes, and breaks where the first one broke", arguments: Ending.allCases)
    func replayed(ending: Ending) async throws {
        await stream(server(ending).wrapped(by: .record(to: file.url)), ending)
        let error: String? =
            switch ending {
            case .read, .finished: nil
            case .broken, .interrupted: "connectionLost"
            case .discarded, .released, .cancelled, .unread, .leftAfterLastChunk: "noDataOrNoResponse"
            }
        let replay = await read(.replay(from: file.url))
        #expect(replay.text == ending.recorded.payload && replay.error?.name == error)
        let isLeft = error == "noDataOrNoResponse"
        #expect(replay.error?.debugInfo.contains("the recorded call was cancelled here") ?? false == isLeft)
        #expect(replay.trailers == (ending == .read ? ["ETag": "1"] : [:]))
    }

    @Test("a broken stream is requested again where new calls are recorded, and one that was left is replayed")
    func replayedOrRecorded() async throws {
        for ending in Ending.allCases {
            await stream(server(ending).wrapped(by: .record(to: file.url)), ending)
            let sent = Recorder<Input>()
            let server = Connector { input in
                sent.append(input)
                return .open(Self.head, ["new".utf8])
            }
            let replay = await read(server.wrapped(by: .replay(from: file.url)))
            let isAgain = [.broken, .interrupted].contains(ending)
            #expect(sent.elements.count == (isAgain ? 1 : 0), "\(ending)")
            #expect(replay.text == (isAgain ? "new" : ending.recorded.payload), "\(ending)")
            #expect(try exchange()?.response.payload == Data(replay.text.utf8), "\(ending)")
            file.remove()
        }
    }

    @Test("a stream is replayed in memory, and a payload in memory as a stream")
    func otherForms() async throws {
        await stream(server().wrapped(by: .record(to: file.url)), .read)
        let response = await WebAPI.call(with: Sample.user, via: .replay(from: file.url)).response
        #expect(response?.payload == Data("onetwo".utf8) && response?.trailers == ["ETag": "1"])
        file.remove()
        await Connector.recording([Sample.user], to: file)
        #expect(await read(.replay(from: file.url)).text == String(decoding: Sample.answer.payload, as: UTF8.self))
    }

    @Test("a stream that its condition ends is recorded with the event that ends it, wherever its bytes are cut")
    func until() async throws {
        let chat = Endpoint.events(.get("https://api.example.com/chat"), until: { $0.data == "[DONE]" })
        let bytes = Array("data: 1\n\ndata: 2\n\ndata: [DONE]\n\n".utf8)
        for cut in 0...bytes.count {
            let stub = Connector.stub(parts: [Data(bytes[..<cut]), Data(bytes[cut...])])
            for isRecording in [true, false] {
                let connector = isRecording ? stub.wrapped(by: .record(to: file.url)) : .replay(from: file.url)
                var events: [String?] = []
                for await element in chat.stream(via: connector) { events.append(element.right?.data) }
                #expect(events == ["1", "2"], "\(cut)")
            }
            #expect(try Cassette(at: file.url).exchanges.map(\.response.payload) == [Data(bytes)])
            file.remove()
        }
    }
}
