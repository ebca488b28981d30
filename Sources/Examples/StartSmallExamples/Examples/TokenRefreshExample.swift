import StartSmall
import StartSmallAuth
import StartSmallTesting
import Foundation

extension Example {
    /// An example that refreshes a rejected token, and retries the request: the caller sees one call.
    static let tokenRefresh = Example(
        name: "token-refresh",
        summary: "a token that is refreshed when the server rejects it",
        server: .stub { input in
            switch (input.url.path, input.headers["Authorization"]) {
            case ("/token", _): .json(#"{"access_token": "new", "expires_in": 3600}"#)
            case (_, "Bearer new"): .text("welcome")
            default: .status(.unauthorized)
            }
        }
    ) { context in
        let keychain = Keychain()
        let store = TokenStore(load: { await keychain.token }, save: { await keychain.keep($0) })
        let app = context.app.wrapped(
            by: .listen(to: .onEnd { _, _ in context.print("one call has ended") }),
            .refreshToken(in: store) { token, connector in
                await Endpoint.json(
                    OAuthTokenResponse.self,
                    .post(
                        // Relative, since the connector inside of this wrapper contains a `.baseURL`.
                        "/token",
                        payload: .form(["grant_type": "refresh_token", "refresh_token": token.refreshToken])
                    )
                )
                .map { $0.accessToken(receivedAt: Date(), inPlaceOf: token) }
                .fetch(via: connector)
            }
        )
        context.print(await Endpoint.text(.get("/")).fetch(via: app).right ?? "stay out")
    }
}

/// A stand-in for the secret storage of an app.
private actor Keychain {
    private(set) var token: AccessToken? = AccessToken("old", refreshToken: "again")

    func keep(_ token: AccessToken?) {
        self.token = token
    }
}
