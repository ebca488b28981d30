import Foundation
import StartSmall
import StartSmallCore
import StartSmallSupport
import StartSmallTesting

@testable import StartSmallAuth

/// The ways in which a server answers a request with a secret.
enum SecretAnswer: CaseIterable {
    case success

    /// An error of OAuth that repeats the secret in a description: as it is, and encoded.
    case plain, percent, form, base64, json

    /// The same with the status 200, and as a form.
    case success200, errorInForm

    /// A page with the secret, a redirect to a URL that has it, and a challenge.
    case page, redirect, challenge

    /// JSON that breaks off in the secret, and JSON with the secret in place of other types.
    case garbage, wrongTypes

    /// The output that repeats a secret.
    func output(repeating secret: String) -> Output {
        func json(_ text: String) -> String {
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        func error(_ text: String, _ status: HTTPStatus = .badRequest) -> Output {
            let page = #""https://as.example/error?about=\#(URIEncoding.encoded(secret))""#
            return .json(
                #"{"error":"invalid_grant","error_description":\#(json("bad: " + text)),"error_uri":\#(page)}"#,
                status: status
            )
        }
        switch self {
        case .success: return .status(.ok)
        case .plain: return error(secret)
        case .percent: return error(URIEncoding.encoded(secret))
        case .form: return error(FormEncoding.encoded(secret))
        case .base64: return error(Data(secret.utf8).base64EncodedString())
        case .json: return error(json(secret))
        case .success200: return error(secret, .ok)
        case .errorInForm:
            let form = "error=invalid_grant&error_description=bad+\(FormEncoding.encoded(secret))"
            return .data(Data(form.utf8), mediaType: .form, status: .badRequest)
        case .page:
            let page = "<html><p>bad: \(secret)</p><a href=\"/?a=\(URIEncoding.encoded(secret))\">again</a></html>"
            return .data(Data(page.utf8), mediaType: "text/html", status: .internalServerError)
        case .redirect:
            let url = "https://other.example/login?code=\(URIEncoding.encoded(secret))"
            return .status(.temporaryRedirect, headers: ["Location": url])
        case .challenge:
            let text = HTTPToken.isFieldValue(secret) && !secret.contains("\"") ? secret : URIEncoding.encoded(secret)
            let value = #"Bearer error="invalid_token", error_description="bad: \#(text)""#
            return .status(.unauthorized, headers: ["WWW-Authenticate": value])
        case .garbage: return .json(#"{"access_token":"a","note":\#(json(secret).dropLast(3))"#)
        case .wrongTypes:
            let text = json(secret)
            return .json(
                #"{"access_token":[\#(text)],"expires_in":\#(text),"issuer":\#(text),"client_id":{"a":\#(text)},"#
                    + #""device_code":3,"user_code":[\#(text)],"request_uri":{"a":\#(text)},"active":\#(text)}"#
            )
        }
    }
}

extension SecretWorld {
    /// Returns the answer of the server, which knows each secret of a request.
    func output(of input: Input) async -> Output {
        let (fields, error) = await input.form()
        if let error { return .noResponse(error) }
        let path = input.url.path()
        var got = fields.compactMap { field -> String? in
            let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, Self.secretFields.contains(parts[0]) else { return nil }
            return plant(parts[1], unknownTo: parts[0] == "client_assertion" ? Self.unknownAssertion : [])
        }
        for name in ["Authorization", "DPoP"] {
            for value in input.headers.values(of: name) {
                let credentials = value.split(separator: " ", maxSplits: 1).last.map(String.init) ?? value
                let isAdded = name == "Authorization" && path == "/resource"
                got.append(plant(credentials, unknownTo: isAdded ? Self.unknownToken : []))
            }
        }
        if let server = digest.withLock(\.self) {
            let output = server.answer(input)
            guard let field = input.headers["Authorization"], answer != .success else { return output }
            let response = field.split(separator: "response=\"").last?.prefix { $0 != "\"" } ?? ""
            return answer.output(repeating: plant(String(response), unknownTo: Self.unknownDigest))
        }
        if let token = got.first(where: { token in rejected.withLock { $0.contains(token) } }), path == "/resource" {
            let value = #"Bearer error="invalid_token", error_description="\#(token)""#
            return .status(.unauthorized, headers: ["WWW-Authenticate": value])
        }
        if answer == .success || sound.contains(path) || got.isEmpty { return success(path) }
        return answer.output(repeating: got[Int(bits() % UInt64(got.count))])
    }

    /// An assertion is signed while it is sent, after the logs have read the request: they know it by its form alone.
    private static let unknownAssertion: Set<String> = [
        "log of payloads: in Base64", "log of entries: in Base64", "outer log of payloads: in Base64",
    ]

    /// The hash in a field of Digest is made inside of the logs and the recorder of cassettes, which do not wrap streams:
    /// `.digest` does. It proves one request, and is no password.
    private static let unknownDigest: Set<String> = [
        "file .json: ", "log of payloads: ", "log of entries: ", "outer log of payloads: ",
    ]

    /// A wrapper adds the token inside of the outer log, which reads the request without it.
    private static let unknownToken: Set<String> = ["outer log of payloads: "]

    private static let secretFields: Set<String> = [
        "client_secret", "client_assertion", "code", "code_verifier", "refresh_token", "device_code", "assertion",
        "subject_token", "actor_token", "token", "state", "nonce",
    ]

    private func success(_ path: String) -> Output {
        func new(_ form: PlantedForm) -> String {
            (try? JSONEncoder().encode(secret(form))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        switch path {
        case "/token":
            return .json(
                #"{"access_token":\#(new(.opaque)),"refresh_token":\#(new(.base64)),"token_type":"\#(tokenType)","#
                    + #""id_token":\#(new(.webToken)),"expires_in":3600}"#
            )
        case "/device":
            return .json(
                #"{"device_code":\#(new(.opaque)),"user_code":"WDJB-\#(plantedUserCode)","expires_in":1800,"#
                    + #""verification_uri":"https://as.example/device","interval":1}"#
            )
        case "/register":
            return .json(
                #"{"client_id":"registered","client_secret":\#(new(.base64)),"#
                    + #""registration_access_token":\#(new(.webToken)),"client_secret_expires_at":0}"#
            )
        case "/par":
            return .json(#"{"request_uri":"urn:ietf:params:oauth:request_uri:\#(bits())","expires_in":60}"#)
        case "/introspect": return .json(#"{"active":true,"scope":"read","sub":"joe"}"#)
        default: return .text("hello")
        }
    }

    private var tokenType: String { rejected.withLock { $0.contains("DPoP") } ? "DPoP" : "Bearer" }

    /// The rest of a new user code, planted as the whole.
    private var plantedUserCode: String {
        let rest = String(bits(), radix: 16, uppercase: true)
        plant("WDJB-\(rest)")
        return rest
    }
}
