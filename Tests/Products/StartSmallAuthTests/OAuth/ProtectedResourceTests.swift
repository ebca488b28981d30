import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct ProtectedResourceTests {
    private func challenges(_ fields: String...) -> [AuthenticationChallenge] {
        Response(
            statusCode: .unauthorized,
            headers: HTTPHeaders(fields.map { .init(name: "WWW-Authenticate", value: $0) })
        )
        .challenges
    }

    @Test(
        "challenges are read as RFC 9110 11.6.1 writes them, in one field or in several",
        arguments: [
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                "basic{realm=simple} newauth{realm=apps,title=Login to \"apps\",type=1}"
            ),
            (#"Bearer error="invalid_token", scope="a b""#, "bearer{error=invalid_token,scope=a b}"),
            ("Bearer", "bearer{}"), ("Bearer, Basic realm=a", "bearer{} basic{realm=a}"),
            ("Negotiate, Bearer Realm = \"a\"", "negotiate{} bearer{realm=a}"), ("", ""), (",,", ""),
            ("Negotiate YII==, Bearer realm=a", "bearer{realm=a}"), ("Negotiate YII=", ""),
            (#"Bearer realm="a", realm="b", Basic realm=c"#, "basic{realm=c}"),
            (#"Bearer REALM="a", realm="b""#, ""), (#"Bearer realm="a"#, ""),
            (#"realm="a", Bearer x=y"#, "bearer{x=y}"),
            ("Bearer realm=\"a\u{1}\"", ""), ("Basic realm=a, Bearer x=\"", "basic{realm=a}"),
        ]
    )
    func reader(_ field: String, _ expected: String) {
        let read = challenges(field).map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(challenge.scheme.lowercased()){\(parameters.joined(separator: ","))}"
        }
        #expect(read.joined(separator: " ") == expected)
    }

    @Test("the resource names its metadata in any challenge (RFC 9728 5.1)")
    func named() {
        let url = "https://resource.example.com/.well-known/oauth-protected-resource"
        let field = #"DPoP algs="ES256", resource_metadata="\#(url)""#
        let response = Response(statusCode: .unauthorized, headers: ["WWW-Authenticate": field])
        #expect(response.resourceMetadata?.absoluteString == url)
        #expect(Response(statusCode: .unauthorized).resourceMetadata == nil)
    }

    /// A part of the response of RFC 9728 3.2.
    private static let example = """
        {"resource": "https://resource.example.com", "authorization_servers":
        ["https://as1.example.com", "https://as2.example.net"], "scopes_supported": ["profile", "email", "phone"]}
        """

    private func fetch(_ json: String, at url: URL? = nil) async -> Fetched<
        TransformError<Never>, ProtectedResourceMetadata
    > {
        await ProtectedResourceMetadata.endpoint(of: "https://resource.example.com", at: url)
            .fetch(via: .stub(.json(json)))
    }

    @Test("servers count only if the app says so, by a list or a function")
    func servers() async throws {
        let metadata = try #require(await fetch(Self.example).right)
        #expect(metadata.scopes == ["profile", "email", "phone"])
        #expect(metadata.authorizationServers(among: []).isEmpty)
        #expect(
            metadata.authorizationServers(among: ["https://as2.example.net", "https://as1.example.com/"])
                == ["https://as2.example.net"]
        )
        #expect(metadata.authorizationServers { $0.hasSuffix(".com") } == ["https://as1.example.com"])
        let none = try #require(await fetch(#"{"resource": "https://resource.example.com"}"#).right)
        #expect(none.authorizationServers { _ in true }.isEmpty && none.scopes == nil)
    }

    @Test("the metadata of another resource is refused, from wherever it comes (RFC 9728 3.3)")
    func otherResource() async {
        let named = Fixture.url("https://resource.example.com/own")
        for resource in ["https://resource.example.com/", "https://evil.example.com", ""] {
            let json = Self.example.replacing(#""https://resource.example.com""#, with: #""\#(resource)""#)
            for url in [nil, named] {
                guard case .invalid? = await fetch(json, at: url).failure else {
                    Issue.record("\(resource)")
                    continue
                }
            }
        }
        #expect(await fetch(Self.example, at: named).right != nil)
        let own = #""resource": "https://resource.example.com""#
        for json in [
            "{}", "", #"{"resource": 7}"#, #"{\#(own), "authorization_servers": "https://as"}"#,
            #"{\#(own), "authorization_servers": [7]}"#, #"{\#(own), "scopes_supported": "a b"}"#,
        ] {
            guard case .malformedData? = await fetch(json).failure else {
                Issue.record("\(json)")
                continue
            }
        }
    }

    @Test("the well-known URL keeps path and query, and a named one has to be https")
    func urls() throws {
        func url(_ resource: String, at named: String? = nil) -> String? {
            ProtectedResourceMetadata.endpoint(of: resource, at: named.map(Fixture.url)).input.right?.url.absoluteString
        }
        #expect(
            url("https://resource.example.com/resource1?k=v")
                == "https://resource.example.com/.well-known/oauth-protected-resource/resource1?k=v"
        )
        #expect(url("https://a.example.com/", at: "https://b.example.com/x") == "https://b.example.com/x")
        for named in ["http://b.example.com/x", "https://u@b.example.com/x", "http://127.0.0.1/"] {
            #expect(url("https://a.example.com/", at: named) == nil)
        }
        #expect(url("http://a.example.com/") == nil)
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("nothing is sent to a private address that a resource names, if the engine has an address policy")
        func privateAddress() async throws {
            for (policy, isCalled) in [
                (ConnectionOptions.AddressPolicy.publicOnly, false), (.only(["127.0.0.1"]), true),
            ] {
                let connections = Recorder<Int>()
                let fetched = try await LoopbackServer.playing({
                    connections.append($0)
                    return [.close]
                }) { server in
                    let field = #"Bearer resource_metadata="https://127.0.0.1:\#(server.port)/own""#
                    let named = Response(statusCode: .unauthorized, headers: ["WWW-Authenticate": field])
                    let url = try #require(named.resourceMetadata)
                    let options = ConnectionOptions(proxy: .none, addressPolicy: policy)
                    return await ProtectedResourceMetadata.endpoint(of: "https://resource.example.com", at: url)
                        .fetch(via: .curl(options: options))
                }
                #expect(connections.elements.isEmpty != isCalled)
                let reason = "the address policy .publicOnly refuses 127.0.0.1 (loopback, RFC 1122)"
                #expect((fetched.connectionError == .requestRefused(reason: reason)) != isCalled, "\(fetched)")
                #expect(fetched.right == nil)
            }
        }
    #endif
}
