import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

struct GitHubRepositorySearchTests {
    private func query(of search: GitHubRepositorySearch) -> [String] {
        (search.endpoint.input.right?.queries ?? []).map { "\($0.name)=\($0.value ?? "")" }
    }

    @Test("words alone are sent unchanged, without a sort order")
    func words() {
        let search = GitHubRepositorySearch("http client & co")
        #expect(search.endpoint.input.right?.url.absoluteString == "https://api.github.com/search/repositories")
        #expect(query(of: search) == ["q=http client & co", "per_page=100"])
    }

    @Test("qualifiers follow the words of the query")
    func qualifiers() {
        let search = GitHubRepositorySearch(
            "http",
            language: "Objective C",
            owner: "apple",
            minimumStars: 100,
            sort: .updated,
            pageSize: 10
        )
        #expect(
            query(of: search) == [
                #"q=http language:"Objective C" user:"apple" stars:>=100"#, "sort=updated", "order=desc", "per_page=10",
            ]
        )
    }

    @Test("without words, the query has only the qualifiers")
    func qualifiersAlone() {
        let search = GitHubRepositorySearch("", language: "Swift", sort: .stars, isDescending: false)
        #expect(query(of: search) == [#"q=language:"Swift""#, "sort=stars", "order=asc", "per_page=100"])
    }

    @Test(
        "a quotation mark in a qualifier, even with a combining accent, is an error, and nothing is sent",
        arguments: [#"C" user:"me"#, "C\"\u{301} user:me"]
    )
    func quotationMark(language: String) {
        let error = GitHubRepositorySearch("", language: language).endpoint.input.left
        #expect(error?.name == "malformedURL")
        #expect(error?.debugInfo.contains("a quotation mark in the language") == true)
    }

    @Test("search results are delivered in pages")
    func found() async {
        let sent = Recorder<Input>()
        let next = #"<https://api.github.com/search/repositories?q=http&per_page=100&page=2>; rel="next""#
        let tetris = #"""
            {"id": 3081286, "name": "Tetris", "full_name": "dtrupenn/Tetris", "private": false, "fork": false,
             "owner": {"login": "dtrupenn", "id": 872147}, "description": null, "stargazers_count": 1, "score": 1.0}
            """#
        let stub = Connector.stub(
            sequence: [
                .json(#"{"total_count": 101, "incomplete_results": true, "items": []}"#, headers: ["Link": next]),
                .json(#"{"total_count": 101, "incomplete_results": false, "items": [\#(tetris)]}"#),
            ],
            recording: sent
        )
        var pages: [GitHubRepositorySearch.Found] = []
        for await errorOrPage in GitHubRepositorySearch("http").endpoint.pages(via: stub) {
            if let page = errorOrPage.right { pages.append(page) }
        }
        #expect(pages.map(\.totalCount) == [101, 101])
        #expect(pages.map(\.isIncomplete) == [true, false])
        #expect(pages.flatMap(\.items).map(\.name) == ["Tetris"])
        #expect(pages.flatMap(\.items).map(\.summary) == [nil])
        #expect(sent.elements.last?.url.query == "q=http&per_page=100&page=2")
        #expect(sent.elements.last?.queries == [])
    }
}
