import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// What a cassette hides without a revealing name, and what it shows although a name looks like one.
@Suite struct KnownFormTests {
    private struct Token: Codable, Equatable, Sendable {
        enum Kind: String, Codable { case bearer = "Bearer" }

        var tokenType: Kind
        var expiresIn: Int
        var refreshTokenExpiresIn: Int

        enum CodingKeys: String, CodingKey {
            case tokenType = "token_type"
            case expiresIn = "expires_in"
            case refreshTokenExpiresIn = "refresh_token_expires_in"
        }
    }

    private struct Session: Decodable, Sendable {
        enum Kind: String, Decodable { case short }

        var sessionKind: Kind
    }

    private let file = TestFile()

    private func recording(_ inputs: [Input], _ output: Output) async {
        await Connector.recording(inputs, to: file) { _ in output }
    }

    @Test("a secret of a known form is hidden in a text, and then wherever it occurs, by the same number")
    func forms() async throws {
        let token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
        let inputs = [
            Sample.input("https://a/x/\(token)"),
            Sample.input("https://a/", headers: ["Authorization": "Bearer \(token)"]),
            Sample.input("https://a/", .post(payload: Payload(.data(Data("Bearer \(token)".utf8)), mediaType: .text))),
            Sample.input("https://a/?to=echo"),
        ]
        await recording(inputs, .json(#"{"note": "use \#(token) or xyz\#(token)xyz"}"#))
        #expect(!file.text.contains("ghp_"))
        #expect(file.text.contains("<redacted-1>") && !file.text.contains("<redacted-2>"))
        let replaying = Connector.replay(from: file.url)
        for input in inputs { #expect(await WebAPI.call(with: input, via: replaying).response != nil) }
    }

    @Test("the words of a token response are recorded and replayed, and its tokens are hidden")
    func wordsOfProtocols() async throws {
        let json = """
            {"access_token": "hunter2-one", "token_type": "Bearer", "expires_in": 3600, \
            "refresh_token": "hunter2-two", "refresh_token_expires_in": 7200}
            """
        let endpoint = Endpoint.json(Token.self, .get("https://a/token"))
        let expected = Token(tokenType: .bearer, expiresIn: 3600, refreshTokenExpiresIn: 7200)
        let recorder = Connector.stub(.json(json)).wrapped(by: .record(to: file.url))
        #expect(await endpoint.fetch(via: recorder) == .right(expected))
        #expect(!file.text.contains("hunter2"))
        #expect(await endpoint.fetch(via: .replay(from: file.url)) == .right(expected))
    }

    @Test("an error of a value that a cassette has hidden says that this may be the cause")
    func cause() async throws {
        await recording([Sample.user], .json(#"{"sessionKind": "short"}"#))
        let endpoint = Endpoint.json(Session.self, .get(Sample.user.url.absoluteString))
        let failure = try #require(await endpoint.fetch(via: .replay(from: file.url)).left)
        #expect("\(failure)".contains("sessionKind"))
        #expect("\(failure)".contains("a redaction has replaced a value of the payload before, as in a cassette"))
        let plain = try #require(await endpoint.fetch(via: .stub(.json(#"{"sessionKind": "hunter2"}"#))).left)
        #expect(!"\(plain)".contains("as in a cassette") && !"\(plain)".contains("hunter2"))
    }

    @Test(
        "a secret part of a form is hidden, whatever the media type of the form is",
        arguments: [nil, MediaType.octetStream, .text, .json]
    )
    func formOfAnotherType(_ type: MediaType?) async throws {
        let form = MultipartForm([.text("title", "Start small"), .text("password", "hunter2")], boundary: "b")
        let messages: [(payload: Payload, headers: HTTPHeaders)] = [
            (Payload(.multipart(form), mediaType: type), [:]),
            (Payload(.multipart(form), mediaType: form.mediaType), type.map { ["Content-Type": $0.rawValue] } ?? [:]),
        ]
        for (payload, headers) in messages {
            let input = Sample.input("https://a/", .post(payload: payload), headers: headers)
            await recording([input], .status(.ok))
            #expect(!file.text.contains("hunter2") && file.text.contains("Start small"))
            #expect(await WebAPI.call(with: input, via: .replay(from: file.url)) == .status(.ok))
            file.remove()
        }
    }

    @Test("JSON in single quotes is not in the file if it may contain a secret")
    func singleQuotes() async throws {
        let payload = Payload(.data(Data("{'password': 'hunter2', 'a': ['hunter2']}".utf8)), mediaType: .json)
        let input = Sample.input("https://a/", .post(payload: payload))
        await recording([input], .json("{'token': ['hunter2']}"))
        #expect(!file.text.contains("hunter2"))
        #expect(await WebAPI.call(with: input, via: .replay(from: file.url)).response != nil)
    }

    @Test(
        "the keys of the list are hidden, and a ticket that is no credential is kept",
        arguments: ["encryption_key", "signing_key", "sas", "ssn", "card_number", "ticket"]
    )
    func names(_ name: String) async throws {
        await recording([Sample.user], .json(#"{"\#(name)": "4111-1111-hunter2"}"#))
        #expect(!file.text.contains("hunter2"))
        file.remove()
        await recording([Sample.user], .json(#"{"ticket": {"id": 12, "subject": "help"}}"#))
        #expect(file.text.contains("help"))
    }
}
