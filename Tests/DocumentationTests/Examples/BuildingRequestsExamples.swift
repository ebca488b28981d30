import Foundation
import StartSmall
import StartSmallForms
import StartSmallModels
import StartSmallTesting
import TestSupport
import Testing

private typealias Built = Either<ConnectionError, Input>

private func query(of input: Built) -> String? {
    input.flatMap(ValidatedRequest.from).right?.url.query(percentEncoded: true)
}

private func body(of input: Built) -> String? {
    input.right?.methodAndPayload.body.map { String(decoding: $0, as: UTF8.self) }
}

/// The Swift blocks of Sources/StartSmall/StartSmall.docc/BuildingRequests.md, in order.
struct BuildingRequestsExamples {
    struct Search: Encodable {
        var text: String
        var labels: [String] = []
        var perPage = 30
        var author: String?
    }

    private let search = Search(text: "a b", labels: ["bug", "ui"])

    @Test("values of all kinds can be variables of a template")
    func template() {
        typealias Built = Either<ConnectionError, Input>

        enum Sort: String, URITemplate.ValueConvertible {
            case newestFirst = "created_desc"
        }

        let page: Int? = nil
        let input = Built.get(
            "https://api.example.com/users/{login}{/part}{?page,sort,ids*}",
            ["login": "a/b", "part": "repos", "page": page, "sort": Sort.newestFirst, "ids": [1, 2]]
        )

        #expect(
            input.right?.url.absoluteString
                == "https://api.example.com/users/a%2Fb/repos?sort=created_desc&ids=1&ids=2"
        )
    }

    @Test("no variable's value changes the resource")
    func refused() {
        let climbing = Built.get("https://api.example.com/users/{login}", ["login": ".."])

        #expect(
            climbing.left
                == .malformedURL(
                    debugInfo: "{login} must not be empty, . or ..: https://api.example.com/users/{login}"
                )
        )
    }

    @Test("a ready URL is sent as it is, with header fields in their order")
    func ready() throws {
        let next = try #require(URL(string: "https://api.example.com/users?page=2"))
        let ready = Built.get(next, headers: ["Accept": "application/json"])

        #expect(ready.right?.url == next)

        var headers = HTTPHeaders(["X-Trace": "7", "Accept": "application/json"])
        headers["accept"] = "text/csv"
        headers.append("Cookie", "a=1")
        headers.setIfAbsent("X-Trace", to: "8")

        #expect(headers.fields.map(\.name) == ["accept", "X-Trace", "Cookie"])
        #expect(headers["ACCEPT"] == "text/csv")
        #expect(headers.values(of: "Cookie") == ["a=1"])
    }

    @Test("a query is encoded from a value in the server's style", .parity("D2"))
    func queries() {
        let search = Search(text: "a b", labels: ["bug", "ui"])
        let found = Built.get("https://api.example.com/issues").queries(search)

        #expect(query(of: found) == "text=a%20b&labels%5B%5D=bug&labels%5B%5D=ui&perPage=30")

        let style = QueryEncoder(nesting: .dots, arrays: .commas, booleans: .numbers, nils: .empty, keys: .snakeCase)
        let styled = Built.get("https://api.example.com/issues").queries(search, encoder: style)

        #expect(query(of: styled) == "text=a%20b&labels=bug%2Cui&per_page=30&author=")
    }

    @Test("the same value can be encoded as a query, as JSON or as a form", .parity("D2"))
    func parameters() {
        let asked = Built.get("https://api.example.com/issues").parameters(search)
        let posted = Built.post("https://api.example.com/issues").parameters(search, jsonEncoder: .sortingKeys)

        #expect(query(of: asked) == "text=a%20b&labels%5B%5D=bug&labels%5B%5D=ui&perPage=30")
        #expect(body(of: posted) == #"{"labels":["bug","ui"],"perPage":30,"text":"a b"}"#)

        let form = Built.post("https://api.example.com/issues", payload: .form(search))

        #expect(body(of: form) == "text=a+b&labels%5B%5D=bug&labels%5B%5D=ui&perPage=30")
    }

    @Test("a merge patch has the members that change")
    func patch() {
        struct ArticlePatch: Encodable {
            var title: String?
            var subtitle = Nullable<String>.absent
        }

        let patch = Built.patch(
            "https://api.example.com/articles/{id}",
            ["id": 7],
            payload: .json(ArticlePatch(subtitle: .null), mediaType: "application/merge-patch+json")
        )

        #expect(body(of: patch) == #"{"subtitle":null}"#)
    }

    @Test("a multipart form can be written as a literal", .parity("A13"))
    func multipart() throws {
        let (cover, thumbnail) = (URL(fileURLWithPath: "cover.jpg"), Data([1]))

        let upload = Built.post(
            "https://api.example.com/articles",
            payload: .multipart([
                .text("title", "Start small"),
                .file("cover", cover),
                .data("thumbnail", thumbnail, fileName: "small.png", mediaType: "image/png"),
            ])
        )

        let payload = try #require(upload.right?.methodAndPayload.payload)
        #expect(payload.mediaType?.essence == "multipart/form-data")
        #expect(payload.description.hasPrefix("3 parts of "))
    }

    @Test(
        "an endpoint has a base URL, a header, an Encodable payload, and its own response and error types",
        .parity("C2")
    )
    func httpRequestable() async {
        let endpoint = Endpoint.json(
            [String: String].self,
            .post("/articles", headers: ["X-Version": "1"], payload: .json(["title": "Start small"])),
            problem: [String: String].self
        )
        let sent = Recorder<Input>()
        let stub = Connector.stub(
            sequence: [.json(#"{"title": "a"}"#, status: .created), .json(#"{"title": "no"}"#, status: .forbidden)],
            recording: sent
        )
        let connector = stub.wrapped(by: .baseURL(URL(string: "https://api.example.com/v3")!))

        #expect(await endpoint.fetch(via: connector) == .right(["title": "a"]))
        #expect(await endpoint.fetch(via: connector).failure?.problem == ["title": "no"])
        #expect(
            sent.elements.first?.description
                == "POST https://api.example.com/v3/articles [X-Version: 1], 23 bytes of application/json"
        )
    }
}
