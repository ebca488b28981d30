import Foundation
import GitHubAPI
import StartSmall
import Testing

struct GitHubRateLimitTests {
    private let headers: HTTPHeaders = [
        "x-ratelimit-limit": "5000", "x-ratelimit-remaining": "4999", "x-ratelimit-used": "1",
        "x-ratelimit-reset": "1372700873", "x-ratelimit-resource": "core",
    ]

    @Test(
        "a limit is decoded from the headers, of an error response too",
        arguments: [HTTPStatus.ok, .notModified, .forbidden]
    )
    func read(status: HTTPStatus) {
        let limit = GitHubRateLimit(
            limit: 5000,
            remaining: 4999,
            resetsAt: Date(timeIntervalSince1970: 1_372_700_873),
            resource: "core"
        )
        #expect(GitHubRateLimit(of: Response(statusCode: status, headers: headers)) == limit)
    }

    @Test("a limit may be reset after 2038")
    func late() {
        let headers = headers.merging(["x-ratelimit-reset": "4102444800"])
        let limit = GitHubRateLimit(of: Response(statusCode: .ok, headers: headers))
        #expect(limit?.resetsAt == Date(timeIntervalSince1970: 4_102_444_800))
    }

    @Test(
        "a missing or malformed number gives no limit",
        arguments: ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"],
        [nil, "", "-1", "many", "1.5", "99999999999999999999"]
    )
    func malformed(name: String, value: String?) {
        var headers = headers
        headers[name] = value
        #expect(GitHubRateLimit(of: Response(statusCode: .ok, headers: headers)) == nil)
    }
}
