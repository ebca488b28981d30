import StartSmall
import StartSmallAuth

extension AccessToken {
    /// Gets a new token in place of this one.
    func refreshed() -> Endpoint<TransformError<BookshelfProblem>, AccessToken> {
        Endpoint.json(
            OAuthTokenResponse.self,
            .post("/v1/token", payload: .form(["grant_type": "refresh_token", "refresh_token": refreshToken])),
            problem: BookshelfProblem.self
        )
        .map { $0.accessToken(receivedAt: Date(), inPlaceOf: self) }
    }
}

extension Wrapper {
    static func bookshelfToken(in store: TokenStore, for server: URL) -> Wrapper {
        .refreshToken(in: store, to: .origin(server)) { token, connector in
            // The request of a new token begins inside of the connector's own `.baseURL`.
            await token.refreshed().fetch(via: connector.wrapped(by: .baseURL(server)))
        }
    }
}
