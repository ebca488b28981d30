import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

struct ClientRegistrationTests {
    private struct Metadata: Encodable {
        let redirect_uris: [String]
    }

    private func registration(_ at: String = "https://server.example.com/register", token: String? = nil)
        -> Endpoint<TransformError<OAuthError>, ClientRegistration>
    {
        let metadata = Metadata(redirect_uris: ["https://client.example.org/callback"])
        return OAuthClient.registration(metadata, at: Fixture.url(at), initialToken: token)
    }

    @Test("the metadata is sent as JSON, with the operator's token")
    func request() throws {
        let input = try registration(token: "ey23f2.adfj230.af32-developer321").input.get()
        #expect(
            input.methodAndPayload.body == Data(#"{"redirect_uris":["https:\/\/client.example.org\/callback"]}"#.utf8)
        )
        #expect(input.headers["Authorization"] == "Bearer ey23f2.adfj230.af32-developer321")
        #expect(input.methodAndPayload.method == "POST" && input.sentPayload?.mediaType == .json)
        #expect(registration("http://server.example.com/register").input.right == nil)
    }

    @Test("the client of RFC 7591 3.2.1 is ready for use, and no description shows its secret")
    func response() async throws {
        let json = """
            {"client_id": "s6BhdRkqt3", "client_secret": "cf136dc3c1fc93f31185e5885805d",
            "client_id_issued_at": 2893256800, "client_secret_expires_at": 2893276800,
            "token_endpoint_auth_method": "METHOD"}
            """
        for (method, shown) in [
            ("client_secret_basic", "client_secret_basic"), ("client_secret_post", "client_secret_post"),
            ("client_secret_jwt", "none"), ("private_key_jwt", "none"), ("none", "none"),
        ] {
            let output = Output.json(json.replacing("METHOD", with: method), status: .created)
            let registered = try #require(await registration().fetch(via: .stub(output)).right)
            #expect(registered.client.id == "s6BhdRkqt3" && "\(registered.client.authentication)" == shown)
            #expect(registered.secretExpires == Date(timeIntervalSince1970: 2_893_276_800))
            var dumped = "\(registered)"
            dump(registered, to: &dumped)
            #expect(!dumped.contains("cf136"))
        }
        let output = Output.json(#"{"client_id": "a", "client_secret_expires_at": 0}"#, status: .created)
        let registered = try #require(await registration().fetch(via: .stub(output)).right)
        #expect("\(registered.client.authentication)" == "none" && registered.secretExpires == nil)
    }

    @Test("an error is typed, and a response without an ID is malformed (RFC 7591 3.2.2)")
    func failures() async {
        let error = Output.json(#"{"error": "invalid_redirect_uri"}"#, status: .badRequest)
        #expect(await registration().fetch(via: .stub(error)).failure?.problem?.code.rawValue == "invalid_redirect_uri")
        for json in [
            "{}", #"{"client_id": ""}"#, #"{"client_id": 7}"#, #"{"client_id": "a", "client_secret": 7}"#,
            #"{"client_id": "a", "client_secret_expires_at": 1e300}"#, #"{"client_id": "\u0000"}"#, "a",
            #"{"client_id": "a", "client_secret_expires_at": "never"}"#, #"{"client_id": "a", "client_secret": "b"#,
        ] {
            guard case .malformedData? = await registration().fetch(via: .stub(.json(json))).failure else {
                Issue.record("\(json)")
                continue
            }
        }
    }
}
