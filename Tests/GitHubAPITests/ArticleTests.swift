import GitHubAPI
import StartSmall
import StartSmallTesting
import XCTest

/// The tests at the end of the article, with `Input` and `Response` in place of its tuples, a stub in place of the
/// network, and `fulfillment(of:)`, as Swift 6 requires.
final class StartSmallForAPITests: XCTestCase {
    private let zen = Connector.stub(routes: [
        "GET /zen": .hasResponse(Response(statusCode: .ok, payload: Data("Keep it logically awesome.".utf8)))
    ])

    func testRequest() {
        let input = Input(
            url: URL(string: "https://api.github.com/zen")!,
            queries: [],
            headers: [:],
            methodAndPayload: .get
        )
        WebAPI.call(with: input, via: zen)
    }

    func testResponse() {
        let text = "this is a response text"
        let response = Response(
            statusCode: .ok,
            headers: [:],
            payload: text.data(using: .utf8)!
        )
        let errorOrZen = GitHubZen.from(response: response)
        switch errorOrZen {
        case let .left(error):
            XCTFail("\(error)")
        case let .right(zen):
            XCTAssertEqual(zen.text, text)
        }
    }

    func testRequestAndResponse() async {
        let expectation = self.expectation(description: "API")
        let input = Input(
            url: URL(string: "https://api.github.com/zen")!,
            queries: [],
            headers: [:],
            methodAndPayload: .get
        )
        WebAPI.call(with: input, via: zen) { output in
            switch output {
            case let .noResponse(connectionError):
                XCTFail("\(connectionError)")
            case let .hasResponse(response):
                let errorOrZen = GitHubZen.from(response: response)
                XCTAssertNotNil(errorOrZen.right)
            }
            expectation.fulfill()
        }
        await fulfillment(of: [expectation], timeout: 10)
    }
}

final class GitHubAPITests: XCTestCase {
    private let gitHub = Connector.stub(routes: [
        "GET /zen": .hasResponse(Response(statusCode: .ok, payload: Data("Keep it logically awesome.".utf8))),
        "GET /users/Kuniwak": .hasResponse(
            Response(statusCode: .ok, payload: Data(#"{"id": 1124024, "login": "Kuniwak"}"#.utf8))
        ),
    ])

    func testZenFetch() async {
        let expectation = self.expectation(description: "API")
        GitHubZen.fetch(via: gitHub) { errorOrZen in
            switch errorOrZen {
            case let .left(error):
                XCTFail("\(error)")
            case let .right(zen):
                XCTAssertNotNil(zen)
            }
            expectation.fulfill()
        }
        await fulfillment(of: [expectation], timeout: 10)
    }

    func testZenFetchTwice() async {
        let expectation = self.expectation(description: "API")
        GitHubZen.fetch(via: gitHub) { [gitHub] errorOrZen in
            switch errorOrZen {
            case let .left(error):
                XCTFail("\(error)")
            case .right(_):
                GitHubZen.fetch(via: gitHub) { errorOrZen in
                    switch errorOrZen {
                    case let .left(error):
                        XCTFail("\(error)")
                    case let .right(zen):
                        XCTAssertNotNil(zen)
                        expectation.fulfill()
                    }
                }
            }
        }
        await fulfillment(of: [expectation], timeout: 10)
    }

    func testUser() throws {
        let response = Response(
            statusCode: .ok,
            headers: [:],
            payload: try JSONSerialization.data(withJSONObject: [
                "id": 1,
                "login": "octocat",
            ])
        )
        switch GitHubUser.from(response: response) {
        case let .left(error):
            XCTFail("\(error)")
        case let .right(user):
            XCTAssertEqual(user.id, 1)
            XCTAssertEqual(user.login, "octocat")
        }
    }

    func testUserFetch() async {
        let expectation = self.expectation(description: "API")
        GitHubUser.fetch(byLogin: "Kuniwak", via: gitHub) { errorOrUser in
            switch errorOrUser {
            case let .left(error):
                XCTFail("\(error)")
            case let .right(user):
                XCTAssertEqual(user.id, 1_124_024)
                XCTAssertEqual(user.login, "Kuniwak")
            }
            expectation.fulfill()
        }
        await fulfillment(of: [expectation], timeout: 10)
    }
}
