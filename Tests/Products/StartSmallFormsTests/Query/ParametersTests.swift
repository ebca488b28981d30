import Foundation
import StartSmall
import StartSmallForms
import TestSupport
import Testing

private struct Search: Encodable {
    var page = 2
    var tags = ["a b", "c"]
    var author: String?
}

private struct Unwritable: Encodable {
    var score = Double.nan
}

struct ParametersTests {
    private typealias Built = Either<ConnectionError, Input>

    @Test("parameters go into the query of a GET and a HEAD", .parity("D2"))
    func queries() {
        for built in [Built.get("https://h/"), .head("https://h/")] {
            let input = built.parameters(Search()).right
            #expect(input?.queries.map(\.description) == ["page=2", "tags[]=a b", "tags[]=c"])
            #expect(input?.methodAndPayload.payload == nil)
        }
    }

    @Test("parameters are the JSON payload of any other method, from the same value", .parity("D2"))
    func payloads() {
        let url = "https://h/"
        let payload = Payload(.data(Data(#"{"page":2,"tags":["a b","c"]}"#.utf8)), mediaType: .json)
        let built: [(Built, HTTPMethodAndPayload)] = [
            (.post(url), .post(payload: payload)), (.put(url), .put(payload: payload)),
            (.patch(url), .patch(payload: payload)), (.delete(url), .delete(payload: payload)),
            (.options(url), .options(payload: payload)),
            (.custom("QUERY", url), .custom(method: "QUERY", payload: payload)),
        ]
        for (input, expected) in built {
            let made = input.parameters(Search(), jsonEncoder: .sortingKeys).right
            #expect(made?.methodAndPayload == expected)
            #expect(made?.queries == [])
        }
    }

    @Test("query items are appended to the existing ones, for any method")
    func appended() {
        let input = Built.delete("https://h/", queries: [URLQueryItem(name: "page", value: "1")])
            .queries(Search(tags: []), encoder: QueryEncoder(nils: .empty)).right
        #expect(input?.queries.map(\.description) == ["page=1", "page=2", "author="])
    }

    @Test("a value that can't be encoded is a malformed URL or payload, with the path")
    func unwritable() {
        let query = ConnectionError.malformedURL(debugInfo: "A number that is not finite. Path: score")
        #expect(Built.get("https://h/").queries(Unwritable()).left == query)
        #expect(Built.get("https://h/").parameters(Unwritable()).left == query)
        let posted = Built.post("https://h/").parameters(Unwritable()).left
        #expect(posted?.name == "malformedPayload")
        #expect(posted?.debugInfo.hasSuffix("Path: score") == true)
    }

    @Test("a request that has a payload accepts no parameters")
    func taken() {
        #expect(Built.post("https://h/", payload: .text("a")).parameters(Search()).left?.name == "malformedPayload")
    }
}
