import Foundation
import GitHubAPI
import Testing

struct GitHubProblemTests {
    private func read(_ json: String) throws -> GitHubProblem {
        try JSONDecoder().decode(GitHubProblem.self, from: Data(json.utf8))
    }

    @Test("a problem is decoded with the URL of its documentation, and any other members")
    func members() throws {
        let problem = try read(
            #"{"message": "Not Found", "documentation_url": "https://docs.github.com", "errors": ["nope"]}"#
        )
        #expect(problem == GitHubProblem(message: "Not Found", documentationURL: "https://docs.github.com"))
        #expect("\(problem)" == "Not Found")
    }

    @Test("JSON without a message is not decoded as GitHub's problem")
    func noMessage() {
        #expect(throws: DecodingError.self) { try read(#"{"error": "no"}"#) }
    }
}
