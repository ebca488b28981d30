import Foundation
import StartSmall

@testable import StartSmallAuth
@testable import StartSmallCore
@testable import StartSmallSupport

extension Target {
    /// The readers of what an authorization server and a protected resource send.
    static let signIns = [
        tokenResponse, oauthError, serverMetadata, resourceMetadata, resourceChallenge, deviceAuthorization,
        pushedRequest, clientRegistration, tokenIntrospection,
    ]

    /// The secret of each request, which the words repeat in the encodings of ``encodedSecrets``.
    private static let secret = "s3cret/pl+nted%ab c\"d"

    private static let encodedSecrets = [
        secret, URIEncoding.encoded(secret), FormEncoding.encoded(secret), base64,
        #"s3cret\/pl+nted%ab c\"d"#,
    ]

    /// Without the last characters, which depend on what follows.
    private static let base64 = String(Data(secret.utf8).base64EncodedString().prefix { $0 != "=" }.dropLast())

    /// Pieces of JSON, and the members of an error.
    static let jsonWords = [
        "{", "}", "[", "]", "\"", ":", ",", "null", "true", "false", "0", "1e400", "-1", "3600", #""3600""#, #"\u0000"#,
        #"\ud800"#, "[[[[", #""error":"a","#, #""error_description":""#, #""error_uri":"https://as.example/e","#,
    ]

    private static let urlWords = [
        "https://as.example", "https://a@as.example/", "http://as.example/", "http://127.0.0.1/",
        "https://as.example#a",
        "javascript:a", "HTTPS://AS.example/a", "https:as.example", "https://as.example@b/", #"https:\/\/as.example"#,
    ]

    private static func response(_ text: String, _ status: HTTPStatus = .ok) -> Response {
        Response(statusCode: status, headers: ["Content-Type": "application/json"], payload: Data(text.utf8))
    }

    private static let client = OAuthClient("app", .secretInForm(secret))
    static let tokenEndpoint = URL(string: "https://as.example/token") ?? URL(filePath: "/")
    static let noon = Date(timeIntervalSince1970: 1_700_000_000)

    /// Promises that a text is one line, and has the secret in none of four encodings.
    private static func promiseHidden(_ text: String) throws {
        let bytes = Array(text.utf8)[...]
        try promise("no secret is shown: \(text)", !encodedSecrets.contains { bytes.holds($0) })
        try promise("a description is one line", text == text.onOneLine)
    }

    /// Promises that a URL may be opened: `https`, with a host, without user information and fragment.
    private static func promiseSafe(_ urls: URL?...) throws {
        for url in urls.compactMap(\.self) {
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
            try promise("https: \(url)", parts?.scheme?.lowercased() == "https" && parts?.host?.isEmpty == false)
            try promise(
                "no user information and no fragment: \(url)",
                parts?.user == nil && parts?.password == nil && parts?.fragment == nil
            )
        }
    }

    /// Checks the failure of an endpoint of OAuth, and returns the value.
    private static func value<Value>(
        of endpoint: Endpoint<TransformError<OAuthError>, Value>,
        _ text: String
    ) throws -> Value? {
        switch endpoint.transform(response(text)) {
        case .left(let error):
            try promiseHidden("\(error)")
            return nil
        case .right(let value):
            try promiseHidden("\(value)")
            let isError = OAuthError(of: response(text), hiding: []) != nil
            try promise("a response with an error has no value", !isError)
            return value
        }
    }

    private static let token = client.token(by: .refresh(secret), at: tokenEndpoint)

    private static let tokenResponse = text(
        "token-response",
        words: jsonWords + encodedSecrets + [
            #""access_token":"#, #""refresh_token":"#, #""token_type":"Bearer","#, #""expires_in":"#,
            #""expires_in":1e300,"#, #""scope":"#,
            #""id_token":"#, "bearer", " ", "é",
        ],
        starts: [#"{"access_token":"#, #"{"access_token":"a","token_type":"Bearer","expires_in":"#, "["],
        read: { _ = token.transform(response($0)) },
        check: { text in
            guard let value = try value(of: token, text) else { return false }
            try promise("a token is visible", OAuthText.isVisible(value.accessToken))
            // Without a type, it is a bearer token.
            try promise("the type was asked for", (value.tokenType ?? "Bearer").lowercased() == "bearer")
            let stored = value.accessToken(receivedAt: noon, inPlaceOf: AccessToken("a", refreshToken: "b"))
            let century = Duration.maximumWait / .seconds(1)
            try promise(
                "the expiry is between now and a century",
                stored.expires.map { (0...century).contains($0.timeIntervalSince(noon)) } ?? true
            )
            try promise("a refresh token stays", stored.refreshToken == value.refreshToken ?? "b")
            var other = OAuthTokenResponse(accessToken: "other")
            other.expiresIn = value.expiresIn
            try promise("a description depends on the lifetime alone", "\(other)" == "\(value)")
            return true
        }
    )

    private static let oauthError = text(
        "oauth-error",
        words: jsonWords + encodedSecrets + ["error=", "&", "error_description=", "invalid_grant", "+", "%", "=", "é"],
        starts: [#"{"error":"a","error_description":""#, "error=a&error_description="],
        read: { _ = OAuthError(of: response($0, .badRequest), hiding: [secret]) },
        check: { text in
            guard let error = OAuthError(of: response(text, .badRequest), hiding: [secret]) else { return false }
            try promiseHidden("\(error)")
            try promiseHidden(
                [error.code.rawValue, error.text, error.page?.absoluteString].compactMap(\.self).joined()
            )
            try promise("a text is visible", error.text.map(OAuthText.isVisible) ?? true)
            var members = ["error": error.code.rawValue, "error_description": error.text]
            members["error_uri"] = error.page?.absoluteString
            let fields = members.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } }
            let shown = members.compactMapValues(\.self)
            guard shown.values.allSatisfy({ $0.utf8.count <= 256 }), error.code.rawValue.isEmpty == false else {
                return true
            }
            let json = String(decoding: (try? JSONEncoder().encode(shown)) ?? Data(), as: UTF8.self)
            for text in [json, FormEncoding.encoded(fields)] {
                try promise(
                    "JSON and a form are the same error",
                    OAuthError(of: response(text), hiding: [secret]) == error
                )
            }
            return true
        }
    )

    private static let issuer = "https://as.example/tenant"
    private static let metadata = OAuthServerMetadata.endpoint(of: issuer)

    private static let serverMetadata = text(
        "oauth-metadata",
        words: jsonWords + urlWords + [#""issuer":"https://as.example/tenant","#, #""token_endpoint":""#]
            + [
                "authorization_endpoint", "pushed_authorization_request_endpoint", "device_authorization_endpoint",
                "revocation_endpoint", "introspection_endpoint", "registration_endpoint",
            ].map { "\"\($0)\":\"" },
        starts: [#"{"issuer":"https://as.example/tenant","token_endpoint":""#],
        read: { _ = metadata.transform(response($0)) },
        check: { text in
            guard let value = metadata.transform(response(text)).right else { return false }
            try promise("the issuer is that which was asked for", value.issuer.utf8.elementsEqual(issuer.utf8))
            try promiseSafe(
                value.tokenEndpoint,
                value.authorizationEndpoint,
                value.pushedAuthorizationEndpoint,
                value.deviceAuthorizationEndpoint,
                value.revocationEndpoint,
                value.introspectionEndpoint,
                value.registrationEndpoint
            )
            try promise("all members are kept", value.members == Data(text.utf8))
            return true
        }
    )

    private static let resource = ProtectedResourceMetadata.endpoint(of: "https://api.example/v1")

    private static let resourceMetadata = text(
        "resource-metadata",
        words: jsonWords + urlWords + [
            #""resource":"https://api.example/v1","#, #""authorization_servers":["#, #""scopes_supported":["a"],"#,
        ],
        starts: [#"{"resource":"https://api.example/v1","authorization_servers":["#],
        read: { _ = resource.transform(response($0)) },
        check: { text in
            guard let value = resource.transform(response(text)).right else { return false }
            let expected = "https://api.example/v1"
            try promise("the resource is the one asked for", value.resource.utf8.elementsEqual(expected.utf8))
            let trusted = ["https://as.example", "https://as.example/a"]
            let servers = value.authorizationServers(among: trusted)
            let areTrusted = servers.allSatisfy { server in trusted.contains { $0.utf8.elementsEqual(server.utf8) } }
            try promise("a server counts only if the app trusts it", areTrusted)
            try promise("no server is trusted by default", value.authorizationServers(among: []).isEmpty)
            return true
        }
    )

    private static let resourceChallenge = text(
        "resource-challenge",
        words: urlWords + [
            "Bearer ", "DPoP ", "resource_metadata=\"", "error=\"invalid_token\"", "error_description=\"", "scope=a",
            "algs=\"ES256\"", "\\\"", "\", ", ", ", "=", " ", "é",
        ],
        starts: ["Bearer resource_metadata=\"", "Bearer a=b, "],
        read: { _ = challenged($0).resourceMetadata },
        check: { text in
            let response = challenged(text)
            let challenges = response.challenges
            for challenge in challenges {
                let names = [challenge.scheme] + challenge.parameters.keys
                try promise(
                    "names are tokens in lower case",
                    names.allSatisfy { HTTPToken.isToken($0) && $0 == $0.lowercased() }
                )
            }
            let written = challenges.map { challenge in
                let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { name, value in
                    let escaped = value.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
                    return "\(name)=\"\(String(decoding: escaped, as: UTF8.self))\""
                }
                return "\(challenge.scheme) \(parameters.joined(separator: ", "))"
            }
            let text = written.joined(separator: ", ")
            if text.utf8.count <= AuthenticationField.maximumLength {
                try promise("the challenges are read again: \(text)", challenged(text).challenges == challenges)
            }
            guard let url = response.resourceMetadata else { return !challenges.isEmpty }
            let asked = ProtectedResourceMetadata.endpoint(of: "https://api.example/v1", at: url).input.right?.url
            try promiseSafe(asked)
            return true
        }
    )

    private static func challenged(_ text: String) -> Response {
        Response(statusCode: .unauthorized, headers: ["WWW-Authenticate": text])
    }

    private static let device = client.deviceAuthorization(at: tokenEndpoint)

    private static let deviceAuthorization = text(
        "device-authorization",
        words: jsonWords + urlWords + encodedSecrets + [
            #""device_code":"a","#, #""user_code":"b","#, #""verification_uri":"https://as.example","#,
            #""verification_uri_complete":""#, #""expires_in":1800,"#, #""interval":"#,
        ],
        starts: [#"{"device_code":"a","user_code":"b","expires_in":1,"verification_uri":""#],
        read: { _ = device.transform(response($0)) },
        check: { text in
            guard let value = try value(of: device, text) else { return false }
            try promiseSafe(value.page, value.completePage)
            try promise(
                "codes are visible",
                OAuthText.isVisible(value.userCode) && OAuthText.isVisible(value.deviceCode)
            )
            try promise("a lifetime is at most a century", (.zero ... .maximumWait).contains(value.expiresIn))
            try promise("there is a pause between two polls", value.interval > .zero)
            var polling = DevicePolling(value)
            let slower = OAuthError(.slowDown)
            for _ in 0..<40 {
                let before = polling.interval
                let isLast = polling.ends(with: .left(.right(.problem(slower, response("")))))
                try promise("a poll is never sooner", !isLast && polling.interval >= min(before, .maximumWait))
            }
            try promise("an interval is at most a century", polling.interval <= .maximumWait)
            return true
        }
    )

    private static let authorizationEndpoint = URL(string: "https://as.example:8443/authorize?tenant=a")
    private static let pushed = client.url(
        of: AuthorizationRequest(client, redirect: tokenEndpoint) { 0 },
        pushedTo: tokenEndpoint,
        at: authorizationEndpoint ?? tokenEndpoint
    )

    private static let pushedRequest = text(
        "pushed-request",
        words: jsonWords + urlWords + encodedSecrets + [
            #""request_uri":""#, "urn:ietf:params:oauth:request_uri:", #","expires_in":60"#, "&request_uri=b", "?", "#",
            "%26request_uri%3Db", "&client_id=other", "%0D%0A", #"\r\n"#, #"\u007f"#, ";", "=", "+", " ", "é",
        ],
        starts: [#"{"request_uri":""#, #"{"request_uri":"urn:ietf:params:oauth:request_uri:"#],
        read: { _ = pushed.transform(response($0)) },
        check: { text in
            let read = pushed.transform(response(text))
            // The URL is to be opened, and so has all of the reference.
            guard let url = read.right else {
                try promiseHidden("\(read)")
                return false
            }
            try promise("a response with an error has no URL", OAuthError(of: response(text), hiding: []) == nil)
            try promiseSafe(url)
            try promise("the origin of the endpoint: \(url)", authorizationEndpoint.flatMap(Origin.init) == Origin(url))
            let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
            let names = ["tenant", "client_id", "request_uri"]
            try promise("one of each parameter: \(url)", url.path() == "/authorize" && items.map(\.name) == names)
            try promise("tenant and client stay: \(url)", items.prefix(2).map(\.value) == ["a", client.id])
            let isVisible = url.absoluteString.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            try promise("neither a control character nor a space: \(url)", isVisible)
            return true
        }
    )

    private static let registration = OAuthClient.registration(
        ["a": "b"],
        at: tokenEndpoint,
        initialToken: "s3cret-initial"
    )

    private static let clientRegistration = text(
        "client-registration",
        words: jsonWords + [
            #""client_id":"a","#, #""client_secret":"b c","#, #""client_secret_expires_at":0,"#,
            #""token_endpoint_auth_method":"client_secret_"#, "basic\"", "post\"", "jwt\"", "s3cret-initial",
        ],
        starts: [#"{"client_id":"a","client_secret":""#],
        read: { _ = registration.transform(response($0)) },
        check: { text in
            let read = registration.transform(response(text))
            guard let value = read.right else {
                try promise("no token is shown", !Array("\(read)".utf8)[...].holds("s3cret-initial"))
                return false
            }
            try promise("an ID is visible", OAuthText.isVisible(value.client.id))
            try promise("all members are kept", value.members == Data(text.utf8))
            let other = OAuthClient(value.client.id)
            try promise("a description shows the ID alone", "\(value)" == "registration of \(other)")
            let input = value.client.token(by: .clientCredentials, at: tokenEndpoint).input.right
            let field = input?.headers["Authorization"]
            try promise("the client's field can be sent", field.map(HTTPToken.isFieldValue) ?? true)
            if case .none = value.client.authentication {
                try promise("no secret is sent", field == nil && input != nil)
            }
            return true
        }
    )

    private static let introspection = client.introspection(of: secret, at: tokenEndpoint)

    private static let tokenIntrospection = text(
        "token-introspection",
        words: jsonWords + encodedSecrets + [
            #""active":true,"#, #""active":false,"#, #""scope":"a b","#, #""sub":"#, #""aud":["a","b"],"#, #""exp":"#,
            #""client_id":"a","#,
        ],
        starts: [#"{"active":true,"exp":"#, #"{"active":true,"aud":["#],
        read: { _ = introspection.transform(response($0)) },
        check: { text in
            guard let value = try value(of: introspection, text) else { return false }
            try promise("all members are kept", value.members == Data(text.utf8))
            try promise("a description is a constant", ["active token", "inactive token"].contains("\(value)"))
            let latest = 253_402_300_800.0
            try promise("a date has a text", value.expires.map { abs($0.timeIntervalSince1970) < latest } ?? true)
            return true
        }
    )
}
