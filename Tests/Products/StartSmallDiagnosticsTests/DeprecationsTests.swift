import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallDiagnostics

@Suite(.timeLimit(.minutes(1))) struct DeprecationsTests {
    private let notices = Recorder<DeprecationNotice>()

    private func app(
        _ headers: HTTPHeaders,
        status: HTTPStatus = .ok,
        endpoint: (@Sendable (Input) -> String)? = nil
    ) -> Connector {
        let notices = notices
        let listener = Listener { event in
            if let notice = event.reported(DeprecationNotice.self) { notices.append(notice) }
        }
        let wrapper = endpoint.map { Wrapper.deprecations(endpoint: $0) } ?? .deprecations()
        return .stub(.hasResponse(Response(statusCode: status, headers: headers)))
            .wrapped(by: wrapper, .listen(to: listener))
    }

    private func call(_ path: String, via app: Connector, method: String = "GET") async throws {
        let url = try #require(URL(string: "https://api.example.com" + path))
        _ = await WebAPI.call(
            with: Input(url: url, methodAndPayload: HTTPMethodAndPayload(method: method)),
            via: app
        )
    }

    private static let date = Date(timeIntervalSince1970: 1_688_169_599)
    private static let later = "Sat, 06 Nov 2094 08:49:37 GMT"

    @Test(
        "a field is read, or no notice is made of it",
        arguments: [
            (["Deprecation": "@1688169599"], true, date, false), (["Deprecation": "true"], true, nil, false),
            (["Deprecation": "?1"], true, nil, false), (["Deprecation": "@1688169599;a=b"], true, date, false),
            (["Deprecation": "Fri, 30 Jun 2023 23:59:59 GMT"], true, date, false),
            (["Deprecation": "@-1"], true, Date(timeIntervalSince1970: -1), false),
            (["Deprecation": "@999999999999999"], true, Date(timeIntervalSince1970: 999_999_999_999_999), false),
            (["Sunset": later], true, nil, true), (["Deprecation": "@1688169599", "Sunset": later], true, date, true),
            (["Deprecation": "@1688169599", "Sunset": "soon"], true, date, false),
            (["Deprecation": "@1", "deprecation": "@1688169599", "Sunset": later], true, nil, true),
            (["Deprecation": "@1", "deprecation": "@1"], false, nil, false),
            (["Deprecation": "@1, @1"], false, nil, false),
            (["Sunset": later, "sunset": later], false, nil, false), (["Sunset": "@1688169599"], false, nil, false),
            (["Deprecation": "?0"], false, nil, false), (["Deprecation": "false"], false, nil, false),
            (["Deprecation": ""], false, nil, false), (["Deprecation": "@"], false, nil, false),
            (["Deprecation": "@-"], false, nil, false), (["Deprecation": "@+1"], false, nil, false),
            (["Deprecation": "@1e30"], false, nil, false), (["Deprecation": "@1.5"], false, nil, false),
            (["Deprecation": "@1000000000000000"], false, nil, false),
            (["Deprecation": "1688169599"], false, nil, false),
            (["Deprecation": "@１"], false, nil, false), ([:], false, nil, false),
        ] as [(HTTPHeaders, Bool, Date?, Bool)]
    )
    func fields(headers: HTTPHeaders, isNotice: Bool, deprecated: Date?, hasSunset: Bool) async throws {
        try await call("/a", via: app(headers))
        #expect(notices.elements.count == (isNotice ? 1 : 0))
        #expect(notices.elements.first?.deprecated == deprecated)
        #expect(notices.elements.first?.sunset == (hasSunset ? HTTPDate.date(Self.later) : nil))
    }

    @Test("each endpoint is reported once, whatever its IDs are, by method and path")
    func once() async throws {
        let app = app(["Deprecation": "@1688169599"])
        for path in [
            "/v1/users/1", "/v1/users/22", "/v2/users/1", "/v1/users/a1b2-c3/x", "/v1/users/9/x", "/v1/users?a=1",
        ] {
            try await call(path, via: app)
            try await call(path, via: app)
        }
        try await call("/v1/users/3", via: app, method: "DELETE")
        #expect(
            notices.elements.map(\.endpoint) == [
                "GET https://api.example.com/v1/users/{}", "GET https://api.example.com/v2/users/{}",
                "GET https://api.example.com/v1/users/{}/x", "GET https://api.example.com/v1/users",
                "DELETE https://api.example.com/v1/users/{}",
            ]
        )
    }

    @Test("an app names its endpoints")
    func named() async throws {
        let app = app(["Deprecation": "true"]) { _ in "users" }
        for path in ["/users/octocat", "/users/hubot"] { try await call(path, via: app) }
        #expect(notices.elements.map(\.description) == ["users: deprecated"])
    }

    @Test("of 10,000 different paths, a bounded number is reported")
    func bound() async throws {
        let app = app(["Deprecation": "true"])
        for number in 0..<10_000 {
            let name = String(number).map { "abcdefghij".dropFirst($0.wholeNumberValue ?? 0).prefix(1) }.joined()
            try await call("/" + name, via: app)
        }
        #expect(notices.elements.count == 1_024)
    }

    @Test("each wrapper has its own state, an error status counts, and a call without a listener does not")
    func state() async throws {
        try await call("/a", via: app(["Deprecation": "true"], status: .gone))
        try await call("/a", via: app(["Deprecation": "true"]))
        #expect(notices.elements.count == 2)
        let (notices, silent) = (notices, Connector.stub(.status(.ok, headers: ["Deprecation": "true"])))
        let wrapper = Wrapper.deprecations()
        _ = await WebAPI.call(with: Fixture.input, via: silent.wrapped(by: wrapper))
        #expect(notices.elements.count == 2)
    }

    @Test(
        "a notice says no more than its server: a Sunset alone is no deprecation",
        arguments: [
            (["Sunset": later], "a: ends at \(later)"), (["Deprecation": "true"], "a: deprecated"),
            (["Deprecation": "?1", "Sunset": later], "a: deprecated, ends at \(later)"),
        ] as [(HTTPHeaders, String)]
    )
    func description(fields: HTTPHeaders, expected: String) {
        #expect(DeprecationNotice(Response(statusCode: .ok, headers: fields), endpoint: "a")?.description == expected)
    }

    @Test("a notice is one line without a credential or a query, of a bounded length")
    func secrets() async throws {
        let app = app(["Deprecation": "@1688169599", "Sunset": Self.later])
        let path = String(repeating: "/long", count: 1_000)
        for url in ["https://user:hunter2@api.example.com/a?api_key=hunter2#hunter2", "http://[::1]:8080" + path] {
            _ = await WebAPI.call(with: Input(url: try #require(URL(string: url))), via: app)
        }
        let texts = notices.elements.map(\.description)
        #expect(
            texts.first == "GET https://api.example.com/a: deprecated from Fri, 30 Jun 2023 23:59:59 GMT on, ends at "
                + Self.later
        )
        #expect(texts.count == 2 && texts.allSatisfy { !$0.contains("hunter2") && $0.utf8.count < 400 })
        #expect(notices.elements.last?.endpoint.hasPrefix("GET http://[::1]:8080/long") == true)
    }
}
