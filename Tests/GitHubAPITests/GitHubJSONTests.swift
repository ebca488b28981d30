import Foundation
import GitHubAPI
import StartSmall
import Testing

/// The models of GitHub's API are decoded as by `JSONDecoder`.
struct GitHubJSONTests {
    private static let user = #""owner":{"login":"dtrupenn","id":872147,"name":null,"bio":"A\n\"quote\" \u00e9"}"#
    private static let repository = """
        {"id":3081286,"name":"Tetris","full_name":"dtrupenn/Tetris","private":false,"fork":false,\(user),\
        "description":null,"html_url":"https://github.com/dtrupenn/Tetris","stargazers_count":1,"forks_count":0,\
        "language":"Assembly","default_branch":"master","topics":["a","b"],"score":1.0,"archived":false,"size":5}
        """
    private static let issue = """
        {"number":1347,"title":"Found a bug","state":"open","body":"It \\ud83d\\ude00","html_url":"https://a.example",\
        "user":{"login":"octocat","id":1},"labels":[{"id":1,"name":"bug"}],"comments":0,"id":1,\
        "created_at":"2011-04-22T13:33:48Z","pull_request":null}
        """
    private static let problem = """
        {"message":"Validation Failed","documentation_url":"https://docs.github.com/rest",\
        "errors":[{"resource":"Issue","field":"title","code":"missing_field"},{"code":"custom","message":"no"}]}
        """

    /// Returns a value or an error as a text.
    private func outcome<T: Decodable>(_ type: T.Type, _ payload: Data) -> (foundation: String, kit: String) {
        let kit = Response(statusCode: .ok, payload: payload).json(type)
        do {
            let value = try JSONDecoder().decode(type, from: payload)
            return ("\(value)", kit.right.map { "\($0)" } ?? "an error")
        } catch {
            return ("an error", kit.right.map { "\($0)" } ?? "an error")
        }
    }

    private func expectSame<T: Decodable>(_ type: T.Type, _ text: String) {
        let bytes = Data(text.utf8)
        let (foundation, kit) = outcome(type, bytes)
        #expect(kit == foundation)
        // Each member is missing, null or of another type once.
        for word in [":", "\"", "[", "{", "1", "null"] {
            for range in text.ranges(of: word) {
                for replacement in ["", "1", "null,", "x"] {
                    let changed = Data(text.replacingCharacters(in: range, with: replacement).utf8)
                    let (foundation, kit) = outcome(type, changed)
                    #expect(kit == foundation)
                }
            }
        }
    }

    @Test("each model has the same value and fails for the same texts")
    func models() {
        expectSame(GitHubUser.self, #"{"login":"Kuniwak","id":1124024}"#)
        expectSame(GitHubRepository.self, Self.repository)
        expectSame([GitHubRepository].self, "[\(Self.repository),\(Self.repository)]")
        expectSame(GitHubRepositorySearch.Found.self, Self.repository)
        expectSame(GitHubIssue.self, Self.issue)
        expectSame(GitHubProblem.self, Self.problem)
    }
}
