import Foundation
import StartSmall
import StartSmallCore
import StartSmallTesting
import TestSupport
import Testing

@testable import StartSmallAuth

/// The values of the examples of RFC 6749, and a server that reads forms.
enum OAuth {
    static let tokenEndpoint = Fixture.url("https://server.example.com/token")
    static let redirect = Fixture.url("https://client.example.com/cb")
    static let secret = "7Fjfp0ZBr1KtDRbnfVdmIw"
    static let code = "SplxlOBeZQQYbYS6WxSbIA"
    static let client = OAuthClient("s6BhdRkqt3", .secretInHeader(secret))
    static let token = #"{"access_token": "2YotnFZFEjr1zCsicMWpAA", "token_type": "Bearer"}"#

    /// Random bits that are 0, 1, 2, …
    static func counting() -> @Sendable () -> UInt64 {
        let count = Recorder<Void>()
        return {
            count.append(())
            return UInt64(count.elements.count - 1)
        }
    }

    /// A server that gets the fields of each form.
    static func server(_ answer: @escaping @Sendable ([String]) -> Output) -> Connector {
        Connector { input in
            let (fields, error) = await input.form()
            return error.map(Output.noResponse) ?? answer(fields)
        }
    }

    /// The fields of the request of an endpoint.
    static func fields<Failure, Value>(of endpoint: Endpoint<Failure, Value>) async throws -> [String] {
        let (fields, error) = await (try endpoint.input.get()).form()
        #expect(error == nil)
        return fields
    }

    static func authorization(_ redirect: URL = redirect) -> AuthorizationRequest {
        AuthorizationRequest(client, redirect: redirect, random: counting())
    }
}

extension Fixture {
    /// The URL of a text that is one.
    static func url(_ text: String) -> URL { URL(string: text) ?? Fixture.url }
}

extension Input {
    /// The decoded fields of a form that is sent, or the error of its production.
    func form() async -> (fields: [String], error: ConnectionError?) {
        guard case .stream(let stream)? = methodAndPayload.payload?.content else { return ([], nil) }
        let (chunks, error) = await stream.produced()
        let text = String(decoding: chunks.reduce(Data(), +), as: UTF8.self)
        let fields = text.split(separator: "&").map { field in
            String(field).replacing("+", with: " ").removingPercentEncoding ?? ""
        }
        return (fields, error)
    }
}
