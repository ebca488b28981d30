import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Two calls find an expired token, one of them refreshes it, and both are retried.
@Suite struct TokenRefreshTests {
    private let file = TestFile()

    /// The requests of the scenario, with the old token or with the refreshed one.
    private static func items(_ token: String) -> Input {
        Sample.input("https://a/items", headers: ["Authorization": "Bearer \(token)"])
    }

    private static func refresh(_ token: String) -> Input {
        let form = Either.form([.init(name: "refresh_token", value: token)])
        return Sample.input("https://a/token", .post(payload: form.right))
    }

    private func record() async {
        let count = Recorder<Int>()
        let inputs = [
            Self.items("old-token"), Self.items("old-token"), Self.refresh("refresh-token"),
            Self.items("new-token"), Self.items("new-token"),
        ]
        await Connector.recording(inputs, to: file) { input in
            if input.url.path() == "/token" { return .json(#"{"access_token":"new-token","expires_in":60}"#) }
            guard input.headers["Authorization"] == "Bearer new-token" else { return .status(.unauthorized) }
            count.append(1)
            return .text("items \(count.elements.count)")
        }
    }

    private enum Step: Hashable { case first, second, refresh, firstAgain, secondAgain }

    /// All orders in which the calls may arrive; the second may begin when the new token already exists.
    private static let orders: [[Step]] = {
        func orders(after done: [Step]) -> [[Step]] {
            let next = [Step.first, .second, .refresh, .firstAgain, .secondAgain].filter { step in
                guard !done.contains(step) else { return false }
                return switch step {
                case .first, .second: true
                case .refresh: done.contains(.first) || done.contains(.second)
                case .firstAgain: done.contains(.first) && done.contains(.refresh)
                case .secondAgain: done.contains(.second) && done.contains(.refresh)
                }
            }
            return next.isEmpty ? [done] : next.flatMap { orders(after: done + [$0]) }
        }
        return orders(after: [])
    }()

    @Test(
        "each of two concurrent calls gets its own response, whatever their order",
        arguments: [RequestMatching.methodURLAndPayload, .methodURLAndPayload.and(.headers("Authorization"))]
    )
    func orders(matching: RequestMatching) async throws {
        await record()
        #expect(Self.orders.count == 10)
        for order in Self.orders {
            let replay = Connector.replay(from: file.url, matching: matching)
            var (token, texts) = ("none", Set<String>())
            for step in order {
                switch step {
                case .first, .second:
                    let output = await WebAPI.call(with: Self.items("an-old-token-of-mine"), via: replay)
                    #expect(output.response?.statusCode == .unauthorized, "\(order) \(step) \(output)")
                case .refresh:
                    let output = await WebAPI.call(with: Self.refresh("a-refresh-token-of-mine"), via: replay)
                    let payload = try #require(output.response?.payload)
                    let json = try JSONDecoder().decode(JSONValue.self, from: payload)
                    token = try #require(json["access_token"]?.string)
                case .firstAgain, .secondAgain:
                    let output = await WebAPI.call(with: Self.items(token), via: replay)
                    let response = try #require(output.response, "\(order) \(step) \(output)")
                    #expect(response.statusCode == .ok, "\(order) \(step)")
                    texts.insert(String(decoding: response.payload, as: UTF8.self))
                }
            }
            #expect(texts == ["items 1", "items 2"], "\(order)")
        }
    }

    @Test("the secrets of a refresh are numbered in the file, and none of them is in it")
    func numbers() async throws {
        await record()
        let exchanges = try Cassette(at: file.url).exchanges
        #expect(
            exchanges.map { $0.input.headers["Authorization"] } == [
                "<redacted-1>", "<redacted-1>", nil, "<redacted-3>", "<redacted-3>",
            ]
        )
        #expect(exchanges[2].input.methodAndPayload.body == Data("refresh_token=<redacted-2>".utf8))
        #expect(exchanges[2].response.payload == Data(#"{"access_token":"<redacted-3>","expires_in":60}"#.utf8))
        for secret in ["old-token", "new-token", "refresh-token", "1000000"] { #expect(!file.text.contains(secret)) }
    }

    @Test("a token that was not recorded is rejected if tokens are matched, and the error names the field")
    func another() async throws {
        await record()
        let rule = RequestMatching.methodURLAndPayload.and(.headers("Authorization"))
        let replay = Connector.replay(from: file.url, matching: rule)
        for _ in 1...2 { _ = await WebAPI.call(with: Self.items("mine-one"), via: replay) }
        let error = await WebAPI.call(with: Self.items("mine-two"), via: replay).connectionError
        #expect(
            error?.debugInfo.contains("a different secret in authorization") == true,
            "\(String(describing: error))"
        )
        #expect(error?.debugInfo.contains("mine-two") == false)
    }

    @Test("two concurrent calls through the token-refreshing wrapper are replayed")
    func wrapper() async throws {
        await record()
        for _ in 1...20 {
            let stored = Recorder<AccessToken>()
            let store = TokenStore(
                load: { stored.elements.last ?? AccessToken("an-old-token-of-mine") },
                save: { stored.append($0) }
            )
            let connector = Connector.replay(from: file.url).wrapped(
                by: .refreshToken(in: store) { (_, inner) -> Fetched<TransformError<Never>, AccessToken> in
                    let output = await WebAPI.call(with: Self.refresh("a-refresh-token-of-mine"), via: inner)
                    let json = try? JSONDecoder().decode(JSONValue.self, from: output.response?.payload ?? Data())
                    return .right(AccessToken(json?["access_token"]?.string ?? ""))
                }
            )
            let input = Sample.input("https://a/items")
            async let first: Output = WebAPI.call(with: input, via: connector)
            async let second: Output = WebAPI.call(with: input, via: connector)
            let texts = await [first, second].map { String(decoding: $0.response?.payload ?? Data(), as: UTF8.self) }
            #expect(Set(texts) == ["items 1", "items 2"])
        }
    }
}
