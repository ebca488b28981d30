import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct ReplayTests {
    private let file = TestFile()

    @Test(
        "an unknown request fails, and the error shows the nearest exchange and the differences",
        arguments: [
            (
                Sample.input("https://a/users/2?page=1"),
                "exchange 2 of 3, recorded → requested: path: /users/1 → /users/2"
            ),
            (
                Sample.input("https://b/users/1?page=1"),
                "exchange 2 of 3, recorded → requested: server: https://a → https://b"
            ),
        ]
    )
    func unknown(input: Input, reason: String) async {
        let inputs = ["https://a/", "https://a/users/1?page=1", "https://a/repos/1/2/3"].map { Sample.input($0) }
        await Connector.recording(inputs, to: file)
        let unexpected = Recorder<Input>()
        let error = await WebAPI.call(with: input, via: .replay(from: file.url, unexpected: unexpected)).connectionError
        #expect(error?.name == "noDataOrNoResponse")
        #expect(
            error?.debugInfo.hasSuffix("not in the cassette cassette.json: the nearest is \(reason)") == true,
            "\(String(describing: error))"
        )
        #expect(unexpected.elements == [input])
    }

    @Test func aDifferenceInTheMatchedHeadersIsReported() async {
        await Connector.recording([Sample.input("https://a/", headers: ["Accept": "text/plain"])], to: file)
        let connector = Connector.replay(from: file.url, matching: .methodAndURL.and(.headers("Accept")))
        let error = await WebAPI.call(with: Sample.input("https://a/", headers: ["Accept": "*/*"]), via: connector)
            .connectionError
        #expect(error?.debugInfo.contains("header: − accept: text/plain; header: + accept: */*") == true)
    }

    /// Media types, recorded and requested payloads, and whether the payloads match.
    private static let payloads: [(type: String, recorded: String, asked: String, isSame: Bool)] = [
        ("application/json", #"{"a":1,"b":[2]}"#, #"{ "b": [2], "a": 1 }"#, true),
        ("application/json", #"{"a":1}"#, #"{"a":2}"#, false),
        ("application/json", #"{"a":1}"#, #"{"a":1,"b":2}"#, false),
        ("application/json", #"{"password":"one"}"#, #"{"password":"two"}"#, true),
        ("application/json", #"{"password":"one","a":1}"#, #"{"password":"two","a":2}"#, false),
        ("text/plain", "{", "{", true), ("text/plain", "{", "[", false), ("application/json", "{", "[", true),
        ("application/x-www-form-urlencoded", "a=1&b=x+y", "b=x%20y&a=1", true),
        ("application/x-www-form-urlencoded", "a=1&token=one", "token=two&a=1", true),
        ("application/x-www-form-urlencoded", "a=1", "a=2", false),
        ("application/x-www-form-urlencoded", "a=1&a=1", "a=1", false),
        ("text/plain", "a", "a", true), ("text/plain", "a", "b", false), ("text/plain", "token=one", "token=two", true),
        ("text/plain", "see word=one", "see word=two", false),
        ("application/octet-stream", "\u{1}", "\u{2}", false), ("text/plain", "a", "", false),
    ]

    @Test(
        "a request with another payload than the recorded one is not answered, and the error says why",
        arguments: payloads
    )
    func comparedPayloads(type: String, recorded: String, asked: String, isSame: Bool) async {
        let inputs = [recorded, asked].map { text in
            let payload = Payload(.data(Data(text.utf8)), mediaType: MediaType(rawValue: type))
            return Sample.input("https://a/", .post(payload: payload))
        }
        await Connector.recording([inputs[0]], to: file)
        let output = await WebAPI.call(with: inputs[1], via: .replay(from: file.url))
        #expect((output.response != nil) == isSame)
        if !isSame {
            #expect(output.connectionError?.debugInfo.contains("recorded → requested: payload") == true, "\(output)")
        }
        let lax = await WebAPI.call(with: inputs[1], via: .replay(from: file.url, matching: .methodAndURL))
        #expect(lax.response != nil)
    }

    @Test("in a payload, too, a secret that only another request marks matches any value")
    func payloadOfAnother() async {
        let login = Sample.input("https://a/user", headers: ["Authorization": "Bearer ghp_abcdef12"])
        let posts = ["application/json": #"{"id":"ghp_abcdef12"}"#, "text/plain": "id ghp_abcdef12!"].map {
            type,
            text in
            let payload = Payload(.data(Data(text.utf8)), mediaType: MediaType(rawValue: type))
            return Sample.input("https://a/\(type)", .post(payload: payload))
        }
        await Connector.recording([login] + posts, to: file)
        for post in posts {
            #expect(await WebAPI.call(with: post, via: .replay(from: file.url)) == .hasResponse(Sample.answer))
        }
    }

    @Test("the difference of two payloads is shown without credentials, and JSON on one line is shown in pieces")
    func shownDifference() async {
        let filler = (0..<20).map { "\"name\($0)\":\"value \($0)\"" }.joined(separator: ",")
        let inputs = [("hunter2-one", 1), ("hunter2-two", 2)].map { password, last in
            let json = "{\"password\":\"\(password)\",\(filler),\"last\":\(last)}"
            return Sample.input("https://a/", .post(payload: Either.text(json, mediaType: .json).right))
        }
        await Connector.recording([inputs[0]], to: file)
        let error = await WebAPI.call(with: inputs[1], via: .replay(from: file.url)).connectionError
        #expect(error?.debugInfo.contains(#""last":1}" → ""last":2}""#) == true, "\(String(describing: error))")
        #expect(error?.debugInfo.contains("hunter2") == false)
    }

    @Test("a URL's secret that only another request marks is replayed, and is not in the error if there is no match")
    func secretOfAnother() async {
        let delete = Sample.input("https://a/tokens/ghp_abcdef12?q=ghp_abcdef12", .delete(payload: nil))
        let login = Sample.input("https://a/user", headers: ["Authorization": "Bearer ghp_abcdef12"])
        await Connector.recording([login, delete], to: file)
        #expect(await WebAPI.call(with: delete, via: .replay(from: file.url)) == .hasResponse(Sample.answer))
        let asked = [
            Sample.input("https://a/tokens/ghp_abcdef12?q=ghp_abcdef12"),
            Sample.input("https://a/v2/tokens/ghp_abcdef12/?q=ghp_abcdef12", .delete(payload: nil)),
        ]
        for input in asked {
            let error = await WebAPI.call(with: input, via: .replay(from: file.url)).connectionError
            #expect(error?.debugInfo.contains("/tokens/") == true)
            #expect(error?.debugInfo.contains("ghp_") == false, "\(String(describing: error))")
        }
    }

    @Test(
        "a URL matches in normal form, and a redacted part of a recorded URL any text in its place",
        arguments: [
            ("https://a/?x=1&y=2", "https://a:443/?y=2&x=1", true), ("https://a.b/x", "https://A.b/x", true),
            ("https://a/x/%5Bredacted%5D/y", "https://a/x/1/y", true),
            ("https://a/x/a-%5Bredacted%5D", "https://a/x/a-1", true),
            ("https://a/x/a-%5Bredacted%5D", "https://a/x/b-1", false),
            ("https://a/%5Bredacted%5D-%5Bredacted%5D", "https://a/1-2", true),
            ("https://a/a%5Bredacted%5Da", "https://a/a", false),
            ("https://a/x/%5Bredacted%5D", "https://a/x/1/2", false),
            ("https://a/x/%5Bredacted%5D", "https://b/x/1", false),
            ("https://a/x/%5Bredacted%5D", "https://a/x", false),
            ("https://a/?q=%5Bredacted%5D&p=1", "https://a/?p=1&q=2", true),
            ("https://a/?q=%5Bredacted%5D&q=2", "https://a/?q=2&q=1", true),
            ("https://a/?q=%5Bredacted%5D", "https://a/?r=2", false),
            ("https://a/?q=%5Bredacted%5D", "https://a/?q=2&q=3", false),
            ("https://a/x/1", "https://a/x/%5Bredacted%5D", false),
            ("https://a/?a=%5Bredacted%5D&a=%5Bredacted%5Dx", "https://a/?a=1x&a=2", true),
            ("https://a/?a=%5Bredacted%5D&a=%5Bredacted%5Dx", "https://a/?a=2&a=1x", true),
            ("https://a/?a=%5Bredacted%5D&a=%5Bredacted%5Dx&a=%5Bredacted%5Dyx", "https://a/?a=1yx&a=2x&a=3", true),
            ("https://a/?a=%5Bredacted%5D&a=%5Bredacted%5Dx&a=%5Bredacted%5Dx", "https://a/?a=1x&a=2&a=3", false),
        ]
    )
    func hidden(recorded: String, asked: String, fits: Bool) {
        #expect(RequestMatching.methodAndURL(Sample.input(asked), Sample.input(recorded)) == fits)
    }

    @Test("each exchange is played once, then the next one that matches, and then the error says so")
    func once() async {
        let stub = Connector.stub(sequence: [.status(.created), .status(.ok), .status(.accepted)])
        let connector = stub.wrapped(by: .record(to: file.url))
        for input in [Sample.user, Sample.user, Sample.input("https://a/")] {
            _ = await WebAPI.call(with: input, via: connector)
        }
        let replaying = Connector.replay(from: file.url)
        for status in [HTTPStatus.created, .ok] {
            #expect(await WebAPI.call(with: Sample.user, via: replaying) == .status(status))
        }
        var error = await WebAPI.call(with: Sample.user, via: replaying).connectionError
        #expect(error?.debugInfo.contains("each matching exchange was played") == true)
        _ = await WebAPI.call(with: Sample.input("https://a/"), via: replaying)
        error = await WebAPI.call(with: Sample.user, via: replaying).connectionError
        #expect(error?.debugInfo.contains("all 3 exchanges were played") == true)
    }

    @Test("the recorder of played exchanges gets each of them when it is played, and nothing for any other request")
    func playedExchanges() async throws {
        let inputs = ["https://a/1", "https://a/2"].map { Sample.input($0) }
        await Connector.recording(inputs, to: file)
        let played = Recorder<Exchange>()
        let connector = Connector.replay(from: file.url, order: .repeating, played: played)
        for input in [inputs[1], Sample.input("https://a/3"), inputs[1]] {
            _ = await WebAPI.call(with: input, via: connector)
        }
        let second = try Cassette(at: file.url).exchanges[1]
        #expect(played.elements == [second, second])
    }

    @Test("with the order .recorded, only the next exchange matches")
    func serialized() async {
        let inputs = ["https://a/1", "https://a/2"].map { Sample.input($0) }
        await Connector.recording(inputs, to: file)
        let connector = Connector.replay(from: file.url, order: .recorded)
        let error = await WebAPI.call(with: inputs[1], via: connector).connectionError
        #expect(error?.debugInfo.contains("the next is exchange 1 of 2, recorded → requested: path: /1 → /2") == true)
        for input in inputs {
            #expect(await WebAPI.call(with: input, via: connector) == .hasResponse(Sample.answer))
        }
    }

    @Test("an exchange expires after the given number of days", arguments: [(0.0, true), (1, false)])
    func expiry(secondsTooLate: Double, isGood: Bool) async {
        await Connector.recording([Sample.user], to: file)
        let now = Sample.noon.addingTimeInterval(30 * 86_400 + secondsTooLate)
        let output = await WebAPI.call(
            with: Sample.user,
            via: .replay(from: file.url, expiringAfterDays: 30, now: { now })
        )
        #expect((output.response != nil) == isGood)
        if !isGood {
            let info = output.connectionError?.debugInfo
            #expect(info?.contains("recorded 2023-11-14T22:13:20Z, more than 30 days ago") == true)
        }
    }

    @Test func withoutACassetteEveryCallSaysSo() async {
        let error = await WebAPI.call(with: Sample.user, via: .replay(from: file.url)).connectionError
        #expect(error?.name == "engineUnavailable")
        #expect(error?.debugInfo.contains("cassette.json") == true)
    }

    @Test("a replayed payload is delivered to a file")
    func files() async throws {
        await Connector.recording([Sample.user], to: file)
        let place = file.another()
        let input = Sample.user.with { $0.delivery = .file(place) }
        let response = await WebAPI.call(with: input, via: .replay(from: file.url)).response
        #expect(try Data(contentsOf: place) == Sample.answer.payload && response?.payload.isEmpty == true)
    }

    @Test("concurrent calls get each exchange once")
    func atOnce() async {
        await Connector.recording((0..<50).map { _ in Sample.user }, to: file)
        let connector = Connector.replay(from: file.url)
        let got = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<60 { group.addTask { await WebAPI.call(with: Sample.user, via: connector).response != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(got == 50)
    }

    @Test(
        "requests whose URLs differ behind a secret are each answered by their own exchange, and the secret is hidden",
        arguments: [
            ("/Sessions(SessionId=•)/Rooms", "/Sessions(SessionId=•)/Speakers"),
            ("/Sessions(Day=2,SessionId=•)/Rooms", "/Sessions(Day=2,SessionId=•)/Speakers"),
            ("/Sessions(SessionId=•)?a=1", "/Sessions(SessionId=•)?a=2"), ("/token=•/a?b=1", "/token=•/a?b=2"),
            ("/a;token=•;b=1", "/a;token=•;b=2"), ("/a;token=•/b", "/a;token=•/c"),
            ("/?q=(token=•)&a=1", "/?q=(token=•)&a=2"), ("/?q=token=•&a=1", "/?q=token=•&a=2"),
            ("/?q=/token=•&a=1", "/?q=/token=•&a=2"), ("/a=b/token=•/c", "/a=b/token=•/d"),
        ]
    )
    func behindASecret(one: String, other: String) async {
        let urls = [one, other].map { "https://h.test" + $0.replacingOccurrences(of: "•", with: "hunter2") }
        let inputs = urls.map { Sample.input($0) }
        await Connector.recording(inputs, to: file) { .text($0.url == inputs[0].url ? "one" : "other") }
        #expect(!file.text.contains("hunter2"))
        let replay = Connector.replay(from: file.url, order: .repeating)
        for (input, text) in [(inputs[1], "other"), (inputs[0], "one"), (inputs[1], "other")] {
            #expect(await WebAPI.call(with: input, via: replay) == .text(text))
        }
    }

    @Test("exact and other matches are each found in the order of the recording, with any matching rule")
    func order() async throws {
        let urls = ["%5Bredacted%5D", "1?q=%5Bredacted%5D", "2", "1?q=2"].map { "https://a/x/\($0)" }
        let exchanges = (urls + urls).enumerated().map { index, url in
            Exchange(
                input: Sample.input(url),
                response: Response(statusCode: .from(code: 200 + index)),
                recorded: Sample.noon
            )
        }
        try Cassette(exchanges).write(to: file.url)
        let asked = ["https://a/x/1?q=2", "https://a/x/2", "https://a/x/3"]
        let rules: [(RequestMatching, [[Int]])] = [
            (.methodAndURL, [[203, 207, 201, 205], [202, 206, 200, 204], [200, 204]]),
            (RequestMatching { _, _ in true }, [[203, 207, 200, 201], [202, 206, 200, 201], [200, 201, 202, 203]]),
        ]
        for (rule, expected) in rules {
            for (url, codes) in zip(asked, expected) {
                let connector = Connector.replay(from: file.url, matching: rule)
                var got: [Int] = []
                for _ in codes {
                    let output = await WebAPI.call(with: Sample.input(url), via: connector)
                    got.append(output.response?.statusCode.code ?? 0)
                }
                #expect(got == codes, "\(url)")
                let again = Connector.replay(from: file.url, matching: rule, order: .repeating)
                for _ in exchanges { _ = await WebAPI.call(with: Sample.input(url), via: again) }
                let last = await WebAPI.call(with: Sample.input(url), via: again)
                let expected = [203: 207, 202: 206, 200: codes.count > 2 ? 207 : 204][codes[0]]
                #expect(last.response?.statusCode.code == expected)
            }
        }
    }
}
