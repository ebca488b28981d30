import Foundation
import StartSmall
import StartSmallTesting
import Testing

@Suite struct NumberedSecretsTests {
    private let file = TestFile()

    private static func get(_ path: String, _ token: String) -> Input {
        Sample.input("https://a/\(path)", headers: ["Authorization": "Bearer \(token)"])
    }

    private func tokens() throws -> [String?] {
        try Cassette(at: file.url).exchanges.map { $0.input.headers["Authorization"] }
    }

    @Test("a secret has the same number in a field, a URL, JSON, a form and a text, encoded or not")
    func everywhere() async throws {
        let secret = "hunter2/pl+n%ted"
        let item = URIEncoding.encoded(secret)
        let inputs = [
            Self.get("a", "another-secret"), Self.get("b", secret), Sample.input("https://a/?token=\(item)"),
            Sample.input(
                "https://a/",
                .post(payload: Either.text(#"{"password":"\#(secret)"}"#, mediaType: .json).right)
            ),
            Sample.input("https://a/", .post(payload: Either.form([.init(name: "token", value: secret)]).right)),
            Sample.input("https://a/", .post(payload: Either.text("say token=\(item)").right)),
        ]
        await Connector.recording(inputs, to: file) { _ in .text("you said \(secret)") }
        let shown = try Cassette(at: file.url).exchanges.dropFirst().map { exchange in
            let url = exchange.input.url.absoluteString.removingPercentEncoding ?? ""
            return "\(exchange.input.headers.fields.map(\.value)) \(url) "
                + String(decoding: exchange.input.methodAndPayload.body ?? Data(), as: UTF8.self)
        }
        for text in shown { #expect(text.contains("<redacted-2>") && !text.contains("<redacted-3>"), "\(text)") }
        #expect(file.text.components(separatedBy: "you said <redacted-2>").count == 6 + 1)
        #expect(!file.text.contains("hunter2"))
    }

    @Test("different secrets have different numbers, even if one contains another")
    func different() async throws {
        let inputs = [Self.get("a", "abcdefgh"), Self.get("b", "abcdefghijkl"), Self.get("c", "abcdefgh")]
        await Connector.recording(inputs, to: file) { _ in .text("abcdefgh, abcdefghijkl, xabcdefghx") }
        #expect(try tokens() == ["<redacted-1>", "<redacted-2>", "<redacted-1>"])
        #expect(file.text.contains("<redacted-1>, <redacted-2>, x<redacted-1>x"))
    }

    @Test("Basic credentials have the same number as the same user information in a URL")
    func basic() async throws {
        let value = "Basic \(Data("me:password-of-mine".utf8).base64EncodedString())"
        let inputs = [
            Sample.input("https://a/", headers: ["Authorization": value]),
            Sample.input("https://me:password-of-mine@a/"),
        ]
        await Connector.recording(inputs, to: file)
        #expect(file.text.contains("https://<redacted-1>@a/"), "\(file.text)")
        #expect(try tokens().first == "<redacted-1>")
    }

    @Test("numbers can have two digits, and 1 is not confused with the beginning of 10")
    func many() async throws {
        let inputs = (1...25).map { Self.get("\($0)", "token-number-\($0)") }
        await Connector.recording(inputs + inputs, to: file) { .text($0.url.lastPathComponent) }
        let shown = (1...25).map { "<redacted-\($0)>" }
        #expect(try tokens() == shown + shown)
        let replay = Connector.replay(from: file.url, matching: .methodURLAndPayload.and(.headers("Authorization")))
        for input in inputs.reversed() {
            #expect(await WebAPI.call(with: input, via: replay) == .text(input.url.lastPathComponent))
        }
    }

    @Test("a secret that looks like a placeholder is a secret like any other")
    func lookalike() async throws {
        let inputs = [Self.get("a", "real-token"), Self.get("b", "<redacted-3>"), Self.get("c", "<redacted-1>")]
        await Connector.recording(inputs, to: file) { _ in .text("<redacted-3> and <redacted-1> and <redacted>") }
        #expect(try tokens() == ["<redacted-1>", "<redacted-2>", "<redacted-3>"])
        #expect(file.text.contains("<redacted-2> and <redacted-3> and <redacted>"))
    }

    @Test("a secret of digits is not found in another secret's placeholder")
    func digits() async throws {
        let inputs = [Self.get("a", "real-token"), Self.get("b", "1000000000"), Self.get("c", "00000000")]
        await Connector.recording(inputs, to: file) { _ in .text("real-token 1000000000") }
        #expect(try tokens() == ["<redacted-1>", "<redacted-2>", "<redacted-3>"])
        #expect(file.text.contains("<redacted-1> <redacted-2>"), "\(file.text)")
    }

    @Test("numbers are in the order of the file, whatever the order in which calls end")
    func order() async throws {
        let latches = [Latch(), Latch(), Latch()]
        let started = [Latch(), Latch(), Latch()]
        let connector = Connector.stub { input in
            let number = Int(input.url.lastPathComponent) ?? 0
            started[number].open()
            await latches[number].wait()
            return .json(#"{"access_token":"answer-\#(number)-secret"}"#)
        }.wrapped(by: .record(to: file.url, now: { Sample.noon }))
        var calls: [Task<Output, Never>] = []
        for number in 0..<3 {
            calls.append(Task { await WebAPI.call(with: Self.get("\(number)", "question-\(number)"), via: connector) })
            await started[number].wait()
        }
        for number in [2, 0, 1] {
            latches[number].open()
            _ = await calls[number].value
        }
        #expect(try tokens() == ["<redacted-1>", "<redacted-3>", "<redacted-5>"])
        let text = file.text
        for number in [2, 4, 6] { #expect(text.contains("<redacted-\(number)>")) }
        #expect(!text.contains("<redacted-7>") && !text.contains("100000"))
    }

    @Test("recording the same exchanges again gives the same file")
    func again() async throws {
        let inputs = (0..<5).map { Self.get("\($0 % 3)", "token-number-\($0 % 2)") }
        await Connector.recording(inputs, to: file)
        let first = file.text
        await Connector.recording(inputs, to: file)
        #expect(file.text == first)
        #expect(try Cassette(at: file.url).data() == Data(first.utf8))
    }

    @Test("a continued cassette keeps its numbers, and new secrets have new ones")
    func continued() async throws {
        let login = Sample.input("https://a/login", headers: ["Authorization": "Bearer first-token"])
        await Connector.recording([login], to: file) { _ in .json(#"{"access_token":"second-token"}"#) }
        let connector = Connector.stub(.text("ok")).wrapped(by: .replay(from: file.url, now: { Sample.noon }))
        let output = await WebAPI.call(with: login, via: connector)
        #expect(output.response?.payload == Data(#"{"access_token":"<redacted-2>"}"#.utf8))
        // The token of the replayed response, the token of the app, and a third one.
        for token in ["<redacted-2>", "first-token", "third-token"] {
            _ = await WebAPI.call(with: Self.get("x", token), via: connector)
        }
        #expect(try tokens() == ["<redacted-1>", "<redacted-2>", "<redacted-1>", "<redacted-3>"])
        for word in ["first", "second", "third"] { #expect(!file.text.contains(word)) }
    }

    @Test("a cassette without numbers is replayed for any secret and any matching rule")
    func withoutNumbers() async throws {
        await Connector.recording([Self.get("a", "first-token"), Self.get("a", "second-token")], to: file)
        try file.write(file.plainText)
        for rule in [RequestMatching.methodURLAndPayload, .methodAndURL.and(.headers("Authorization"))] {
            let replay = Connector.replay(from: file.url, matching: rule)
            for token in ["mine-1-token", "mine-2-token"] {
                #expect(await WebAPI.call(with: Self.get("a", token), via: replay) == .hasResponse(Sample.answer))
            }
        }
    }

    @Test("interleaved requests of two users are distinguished by the order of their first requests")
    func interleaved() async throws {
        let inputs = ["one-token", "two-token", "one-token", "two-token"].map { Self.get("me", $0) }
        await Connector.recording(inputs, to: file) { .text($0.headers["Authorization"]?.count == 16 ? "?" : "") }
        let exchanges = try Cassette(at: file.url).exchanges.enumerated().map { index, exchange in
            Exchange(
                input: exchange.input,
                response: Response(statusCode: .from(code: 200 + index)),
                recorded: Sample.noon
            )
        }
        try Cassette(exchanges).write(to: file.url)
        let replay = Connector.replay(from: file.url, matching: .methodAndURL.and(.headers("Authorization")))
        var codes: [Int?] = []
        for token in ["mine-a", "mine-a", "mine-b", "mine-b"] {
            codes.append(await WebAPI.call(with: Self.get("me", token), via: replay).response?.statusCode.code)
        }
        #expect(codes == [200, 202, 201, 203])
    }
}
