import Foundation
import StartSmall
import StartSmallForms
import StartSmallTesting
import Testing

@Suite struct RecordTests {
    private let file = TestFile()

    @Test("a recorded call's output is unchanged, and is written with its request")
    func records() async throws {
        let connector = Connector.stub(.hasResponse(Sample.answer))
            .wrapped(by: .record(to: file.url, now: { Sample.noon }))
        #expect(await WebAPI.call(with: Sample.user, via: connector) == .hasResponse(Sample.answer))
        let exchange = Exchange(input: Sample.user, response: Sample.answer, recorded: Sample.noon)
        #expect(try Cassette(at: file.url) == Cassette([exchange]))
    }

    @Test("query items are recorded in the URL, files in the payload, and fragments not at all")
    func asSent() async throws {
        let upload = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt")
        try Data("hello".utf8).write(to: upload)
        defer { try? FileManager.default.removeItem(at: upload) }
        var input = Sample.input("https://example.com/#here", .post(payload: Payload(.file(upload), mediaType: .text)))
        input.queries = [URLQueryItem(name: "q", value: "a b")]
        await Connector.recording([input], to: file)
        let recorded = try #require(try Cassette(at: file.url).exchanges.first).input
        #expect(recorded.url.absoluteString == "https://example.com/?q=a%20b")
        #expect(recorded.methodAndPayload.body == Data("hello".utf8))
    }

    @Test("a multipart form is described by its type and size, and any form matches it")
    func multipart() async throws {
        let posts = ["Start small", "hunter2"].map { text in
            let form = HTTPMethodAndPayload.post(payload: Either.multipart([.text("title", text)]).right)
            return Sample.input("https://example.com/", form)
        }
        await Connector.recording([posts[1]], to: file)
        let omitted = try #require(try Cassette(at: file.url).exchanges.first?.omittedInput)
        #expect(omitted.contains("bytes of multipart/form-data: the parts of a form") && !file.text.contains("hunter2"))
        #expect(await WebAPI.call(with: posts[0], via: .replay(from: file.url)) == .hasResponse(Sample.answer))
        let none = Sample.input("https://example.com/", .post(payload: nil))
        #expect(await WebAPI.call(with: none, via: .replay(from: file.url)).response == nil)
    }

    @Test("an unreadable request payload is an error, and nothing is sent")
    func unreadable() async {
        let sent = Recorder<Input>()
        let connector = Connector.stub(.hasResponse(Sample.answer), recording: sent).wrapped(by: .record(to: file.url))
        let payload = Payload(.file(URL(filePath: "/nowhere")), mediaType: nil)
        let output = await WebAPI.call(with: Sample.input("https://a/", .put(payload: payload)), via: connector)
        #expect(output.connectionError?.name == "malformedPayload")
        #expect(sent.elements == [])
    }

    @Test("the wrapper keeps the laws of wrappers")
    func laws() async {
        let laws = WrapperLaws { [file] in .record(to: file.another()) }
        #expect(await laws.violations() == [])
    }

    @Test("after each call, the file equals one that was written at once")
    func growing() async throws {
        let connector = Connector.stub(.hasResponse(Sample.answer)).wrapped(by: .record(to: file.url))
        for number in 1...5 {
            _ = await WebAPI.call(with: Sample.input("https://a/\(number)"), via: connector)
            let cassette = try Cassette(at: file.url)
            #expect(cassette.exchanges.count == number)
            #expect(file.text == String(decoding: cassette.data(), as: UTF8.self))
            #expect(file.names == ["cassette.json"])
        }
    }

    #if (os(macOS) || os(Linux)) && !APPLE_BRANCH
        @Test("the recorded exchanges remain readable after the process is killed")
        func killed() async throws {
            // An exit test that captures a value needs Swift 6.3, so the child finds the file by its parent's ID.
            let url = Self.fileOfKilled(testedBy: getpid())
            defer { try? FileManager.default.removeItem(at: url) }
            await #expect(processExitsWith: .signal(SIGKILL)) {
                let url = RecordTests.fileOfKilled(testedBy: getppid())
                let connector = Connector.stub(.hasResponse(Sample.answer)).wrapped(by: .record(to: url))
                for number in 1...20 {
                    _ = await WebAPI.call(with: Sample.input("https://a/\(number)"), via: connector)
                }
                kill(getpid(), SIGKILL)
            }
            #expect(try Cassette(at: url).exchanges.count == 20)
        }

        private static func fileOfKilled(testedBy process: pid_t) -> URL {
            FileManager.default.temporaryDirectory.appending(path: "StartSmall-killed-\(process).json")
        }
    #endif

    // A pipe replaces a device in this test, since a recording that replaced `/dev/null` would harm the machine.
    @Test("recording to a device or pipe is an error, and does not replace it")
    func device() async throws {
        let (pipe, link, none) = (file.another(), file.another(), URL(filePath: "/proc/a/b"))
        try file.write("")
        try #require(mkfifo(pipe.path(percentEncoded: false), 0o600) == 0)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
        let irregular = "not a regular file"
        for (place, reason) in [(pipe, irregular), (link, irregular), (none, "the cassette b: ")] {
            let connector = Connector.stub(.hasResponse(Sample.answer)).wrapped(by: .record(to: place))
            let error = await WebAPI.call(with: Sample.user, via: connector).connectionError
            #expect(error?.name == "unwritableDestination")
            #expect(error?.debugInfo.contains(reason) == true)
        }
        var status = stat()
        #expect(lstat(pipe.path(percentEncoded: false), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test("of a retried call, only the last attempt's response is recorded")
    func triedAgain() async throws {
        let tries = Recorder<Void>()
        let breaking = Connector { _ in
            tries.append(())
            let lost = ConnectionError.connectionLost(.init(domain: "a", code: 1, text: "b"))
            let response = Response(statusCode: .ok)
            return tries.elements.count == 1
                ? .open(response, ["hel".utf8], then: lost) : .open(response, ["hel".utf8, "lo".utf8])
        }
        let connector = breaking.wrapped(by: .record(to: file.url), .retry(random: { 0 }))
        _ = await WebAPI.call(with: Sample.user, via: connector)
        #expect(tries.elements.count == 2)
        #expect(try Cassette(at: file.url).exchanges.map(\.response.payload) == [Data("hello".utf8)])
    }

    @Test("a dry run records and replays nothing, and takes no fault")
    func dryRun() async {
        let (input, sent) = (Sample.user, Recorder<Input>())
        let stub = Connector.stub(.text("hello"), recording: sent)
        let recording = stub.wrapped(by: .record(to: file.url))
        #expect(await recording.dryRun(input) == .request(input))
        #expect(file.names == [])
        _ = await WebAPI.call(with: input, via: recording)
        let replaying = stub.wrapped(by: .replay(from: file.url, order: .recorded))
        #expect(await replaying.dryRun(input) == .request(input))
        #expect(await WebAPI.call(with: input, via: replaying).response?.payload == Data("hello".utf8))
        let chaotic = stub.wrapped(by: .chaos(.status(.badGateway, when: .calls(1...1))))
        #expect(await chaotic.dryRun(input) == .request(input))
        #expect(await WebAPI.call(with: input, via: chaotic) == .status(.badGateway))
        #expect(sent.elements.count == 1)
    }
}
