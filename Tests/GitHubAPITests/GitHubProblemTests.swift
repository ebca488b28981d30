import Foundation
import GitHubAPI
import Testing

struct GitHubProblemTests {
    private func read(_ json: String) throws -> GitHubProblem {
        try JSONDecoder().decode(GitHubProblem.self, from: Data(json.utf8))
    }

    @Test("the details of a 422 are decoded")
    func details() throws {
        let problem = try read(
            #"""
            {"message": "Validation Failed", "documentation_url": "https://docs.github.com",
             "errors": [{"resource": "Issue", "field": "title", "code": "missing_field"}]}
            """#
        )
        #expect(
            problem
                == GitHubProblem(
                    message: "Validation Failed",
                    documentationURL: "https://docs.github.com",
                    errors: [.init(resource: "Issue", field: "title", code: "missing_field")]
                )
        )
    }

    @Test("the message is decoded even if the details have another form")
    func otherDetails() throws {
        #expect(try read(#"{"message": "No", "errors": ["nope"]}"#) == GitHubProblem(message: "No"))
    }

    @Test("JSON without a message is not decoded as GitHub's problem")
    func noMessage() {
        #expect(throws: DecodingError.self) { try read(#"{"error": "no"}"#) }
    }

    @Test("a problem's description has its message and the error of each field")
    func description() {
        let problem = GitHubProblem(
            message: "Validation Failed",
            errors: [.init(resource: "Issue", field: "title", code: "missing_field"), .init(message: "too many")]
        )
        #expect("\(problem)" == "Validation Failed (Issue title missing_field; too many)")
        #expect("\(GitHubProblem(message: "Not Found"))" == "Not Found")
    }
}
