import GitHubAPI
import StartSmall
import StartSmallStreams
import Testing

@testable import GitHubBrowser

struct ComplaintTests {
    private func response(_ headers: HTTPHeaders = [:]) -> Response {
        Response(statusCode: .forbidden, headers: headers)
    }

    @Test("a call without a response is reported with its cause")
    func unreachable() {
        let cause = ConnectionError.Cause(domain: "libcurl", code: 7, text: "port 443 refused")
        let complaint = Complaint(.left(.connectionRefused(cause)))
        #expect(complaint.text.hasPrefix("GitHub can't be reached: ") && complaint.text.contains("port 443"))
    }

    @Test("an exceeded rate limit is reported with the time to its end and a remedy")
    func limit() {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1700000000",
            "Date": "Tue, 14 Nov 2023 22:13:00 GMT",
        ]
        let problem = GitHubProblem(message: "API rate limit exceeded for 127.0.0.1.")
        let complaint = Complaint(.right(.problem(problem, response(headers))))
        #expect(complaint.text.contains("20 seconds") && complaint.text.contains("GITHUB_TOKEN"))
    }

    @Test("an unexpected response is reported as unreadable")
    func unreadable() {
        let complaint = Complaint(.right(.unexpectedStatusCode(response())))
        #expect(complaint.text.hasPrefix("GitHub's answer can't be read: "))
    }

    @Test("a list with too many pages is reported")
    func pages() {
        let complaint = Complaint(PaginationError(page: 9, reason: .tooMany(limit: 8)))
        #expect(complaint.text == "There are more pages, but more than 8 pages.")
    }
}
