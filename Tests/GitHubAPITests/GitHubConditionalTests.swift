import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

/// GitHub gives an entity tag with most answers, and counts no call that it answers with 304.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api>
struct GitHubConditionalTests {
    private let gitHub = Connector.stub { input in
        let tag = #"W/"0815""#
        if input.headers["If-None-Match"] == tag { return .status(.notModified, headers: ["ETag": tag]) }
        return .json(#"{"id": 1, "login": "octocat"}"#, headers: ["ETag": tag])
    }

    private let octocat = GitHubUser(id: 1, login: "octocat")

    @Test("who has no version yet gets one, with its tag")
    func first() async {
        let user = await GitHubUser.endpoint(byLogin: "octocat").ifNoneMatch(nil).fetch(via: gitHub)
        #expect(user == .right(.modified(octocat, CacheValidators(etag: ETag(#"W/"0815""#)))))
    }

    @Test("who has the latest version is told so", arguments: [#"W/"0815""#, #"W/"0814""#])
    func again(tag: String) async {
        let user = await GitHubUser.endpoint(byLogin: "octocat").ifNoneMatch(ETag(tag)).fetch(via: gitHub).right
        #expect(user?.modified == (tag == #"W/"0815""# ? nil : octocat))
    }
}
