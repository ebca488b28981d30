import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

/// Tests of conditional requests: GitHub sends an entity tag with most responses, and does not count calls with a 304.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api>
struct GitHubConditionalTests {
    private let gitHub = Connector.stub { input in
        let tag = #"W/"0815""#
        if input.headers["If-None-Match"] == tag { return .status(.notModified, headers: ["ETag": tag]) }
        return .json(#"{"id": 1, "login": "octocat"}"#, headers: ["ETag": tag])
    }

    private let octocat = GitHubUser(id: 1, login: "octocat")

    @Test("a request without an entity tag gets the value and its tag")
    func first() async {
        let user = await GitHubUser.endpoint(byLogin: "octocat").ifNoneMatch(nil).fetch(via: gitHub)
        #expect(user == .right(.modified(octocat, CacheValidators(etag: ETag(#"W/"0815""#)))))
    }

    @Test(
        "a request with the latest entity tag gets no value, and one with an older tag gets the value",
        arguments: [#"W/"0815""#, #"W/"0814""#]
    )
    func again(tag: String) async {
        let user = await GitHubUser.endpoint(byLogin: "octocat").ifNoneMatch(ETag(tag)).fetch(via: gitHub).right
        #expect(user?.modified == (tag == #"W/"0815""# ? nil : octocat))
    }
}
