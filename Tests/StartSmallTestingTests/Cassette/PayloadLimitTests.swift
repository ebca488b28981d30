import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

@Suite struct PayloadLimitTests {
    private let file = TestFile()

    private static func post(_ text: String) -> Input {
        Sample.input("https://a/upload", .post(payload: Payload(.data(Data(text.utf8)), mediaType: .text)))
    }

    private func record(_ inputs: [Input], upTo limit: Int, _ answer: @escaping @Sendable (Input) -> Output) async {
        let wrapper = Wrapper.record(to: file.url, payloadsUpTo: limit, now: { Sample.noon })
        let connector = Connector.stub { answer($0) }.wrapped(by: wrapper)
        for input in inputs { _ = await WebAPI.call(with: input, via: connector) }
    }

    @Test(
        "the file has the size and the hash of a payload over the limit, and all of a payload at the limit"
    )
    func limit() async throws {
        await record([Self.post("12345678901"), Self.post("1234567890")], upTo: 10) { input in
            .text(
                "answer \(input.methodAndPayload.body?.count ?? 0)".padding(toLength: 11, withPad: "!", startingAt: 0)
            )
        }
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.map(\.inputDigest?.size) == [11, nil])
        #expect(exchanges.map(\.responseDigest?.size) == [11, 11])
        #expect(exchanges[1].input.methodAndPayload.body == Data("1234567890".utf8))
        #expect(exchanges.map(\.response.payload) == [Data(), Data()])
        #expect(!file.text.contains("12345678901") && !file.text.contains("answer"))
        #expect(exchanges[0].inputDigest?.sha256?.count == 64)
    }

    @Test("a request is matched by the size and the hash of a payload over the limit")
    func matching() async {
        await record(["first text", "second one"].map(Self.post), upTo: 4) { input in
            .text(String(decoding: input.methodAndPayload.body?.prefix(3) ?? Data(), as: UTF8.self))
        }
        let replay = Connector.replay(from: file.url)
        #expect(await WebAPI.call(with: Self.post("second one"), via: replay) == .text("sec"))
        #expect(await WebAPI.call(with: Self.post("First text"), via: replay).response == nil)
        #expect(await WebAPI.call(with: Self.post("first text"), via: replay) == .text("fir"))
    }

    @Test("a response over the limit is replayed as an error that names the limit to raise")
    func response() async {
        await record([Sample.user], upTo: 4) { _ in .text("hello") }
        let error = await WebAPI.call(with: Sample.user, via: .replay(from: file.url)).connectionError
        #expect(error?.debugInfo.contains("payloadsUpTo: 5") == true, "\(String(describing: error))")
        let wrapped = Connector.stub(.text("hello")).wrapped(by: .replay(from: file.url))
        #expect(await WebAPI.call(with: Sample.user, via: wrapped).connectionError == error)
    }

    @Test("a payload with a secret has no hash in the file, and any payload matches it")
    func secrets() async throws {
        await record([Self.post("a long text, token=hunter2-word")], upTo: 4) { _ in .text("and token=hunter2-word") }
        let exchange = try #require(try Cassette(at: file.url).exchanges.first)
        #expect(exchange.inputDigest == PayloadDigest(size: 31, sha256: nil))
        #expect(exchange.responseDigest == PayloadDigest(size: 22, sha256: nil))
        let output = await WebAPI.call(with: Self.post("a long text, token=mine"), via: .replay(from: file.url))
        #expect(output.connectionError?.debugInfo.contains("payloadsUpTo: 22") == true)
    }

    @Test("a hash is removed when a later call reveals a secret in the payload")
    func laterSecret() async throws {
        let login = Sample.input("https://a/", headers: ["Authorization": "Bearer hunter2-word"])
        await record([Self.post("the word is hunter2-word"), login], upTo: 4) { _ in .text("ok") }
        #expect(try Cassette(at: file.url).exchanges.first?.inputDigest == PayloadDigest(size: 24, sha256: nil))
        file.remove()
        await record([login, Self.post("the word is hunter2-word")], upTo: 4) { _ in .text("ok") }
        #expect(try Cassette(at: file.url).exchanges.last?.inputDigest == PayloadDigest(size: 24, sha256: nil))
    }

    @Test("a secret of a payload that is not kept is hidden elsewhere, and has a number only if it is in the file")
    func numbers() async throws {
        let login = Sample.input("https://a/", headers: ["Authorization": "Bearer other-token"])
        await record([Self.post("a long text, token=hunter2-word"), login], upTo: 30) { _ in .text("ok hunter2-word") }
        #expect(!file.text.contains("hunter2"))
        #expect(file.text.contains("ok <redacted-1>") && file.text.contains("Authorization: <redacted-2>"))
    }

    @Test("the size and the hash of a payload over the limit remain when the cassette is continued")
    func continued() async throws {
        await record([Self.post("first text")], upTo: 4) { _ in .text("hello") }
        let before = try Cassette(at: file.url).exchanges
        let connector = Connector.stub(.text("new")).wrapped(by: .replay(from: file.url, payloadsUpTo: 4))
        _ = await WebAPI.call(with: Self.post("second text"), via: connector)
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(exchanges.count == 2 && exchanges.first == before.first)
        #expect(exchanges.last?.inputDigest?.size == 11)
    }

    @Test(
        "a file with an invalid payload size is an error",
        arguments: [#"{"size":-1}"#, #"{"sha256":"00"}"#, #"{"size":1,"text":["a"]}"#]
    )
    func malformed(payload: String) {
        let text = """
            {"version":1,"exchanges":[{"recorded":"2001-02-03T04:05:06Z","request":{"method":"GET","url":"https://a/"},\
            "response":{"status":200,"payload":\(payload)}}]}
            """
        #expect(throws: CassetteError.self) { try Cassette(reading: Data(text.utf8)) }
    }

    @Test("the default limit keeps usual API payloads, but not a download of 11 MiB", .exhaustive)
    func standard() async throws {
        let large = Data(count: 11 * 1024 * 1024)
        await Connector.recording([Sample.user], to: file) { _ in
            .hasResponse(
                Response(statusCode: .ok, headers: ["Content-Type": "application/octet-stream"], payload: large)
            )
        }
        #expect(file.text.utf8.count < 1_000)
        #expect(try Cassette(at: file.url).exchanges.first?.responseDigest?.size == large.count)
    }
}
