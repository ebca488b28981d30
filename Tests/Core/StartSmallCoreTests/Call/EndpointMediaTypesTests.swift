import Foundation
import StartSmall
import StartSmallTesting
import Testing

struct EndpointMediaTypesTests {
    private struct Problem: Codable, Hashable, Sendable {
        var message: String
    }

    private let input = Either<ConnectionError, Input>.get("https://api.example.com/logo")

    private func fetch(_ headers: HTTPHeaders, _ text: String = "x") async -> Fetched<TransformError<Never>, String> {
        let response = Response(statusCode: .ok, headers: headers, payload: Data(text.utf8))
        let endpoint = Endpoint.text(input).expecting("image/*", "text/plain")
        return await endpoint.fetch(via: .stub(.hasResponse(response)))
    }

    @Test(
        "a payload of one of the types is decoded, and so is an empty one without a type",
        arguments: ["image/png", "TEXT/plain; charset=utf-8", "image/svg+xml", "text/plain; charset="]
    )
    func expected(_ contentType: String) async {
        #expect(await fetch(["Content-Type": contentType]) == .right("x"))
        #expect(await fetch([:], "") == .right(""))
    }

    @Test("any other type is malformed data that names it and has the response", arguments: ["text/html", "rubbish"])
    func other(_ contentType: String) async {
        let failure = await fetch(["Content-Type": contentType]).failure
        guard case .malformedData(let response, let debugInfo) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(debugInfo == "\(contentType) where image/* or text/plain is expected")
        #expect(response.payload == Data("x".utf8))
        #expect(await fetch(["Content-Type": contentType], "").failure != nil)
        #expect(await fetch([:]).failure != nil)
    }

    @Test("the Accept header names the expected types, unless the request has its own")
    func accept() {
        #expect(Endpoint.text(input).expecting("image/*", "a/b").input.right?.headers["Accept"] == "image/*, a/b")
        let own = Endpoint.text(.get("https://a.example", headers: ["accept": "c/d"])).expecting("a/b")
        #expect(own.input.right?.headers == ["Accept": "c/d"])
    }

    @Test("expecting checks only what is before it: a value recovered from a status before it has no type to check")
    func order() async {
        let page = Output.data(Data("<html>".utf8), mediaType: "text/html", status: .notFound)
        let before = Endpoint.text(input).expecting("text/plain").recover(from: .notFound, as: "none")
        let behind = Endpoint.text(input).recover(from: .notFound, as: "none").expecting("text/plain")
        #expect(await before.fetch(via: .stub(page)) == .right("none"))
        #expect(await behind.fetch(via: .stub(page)).failure?.response.statusCode == .notFound)
    }

    @Test("a malformed payload is reported by its media type, to listeners too, and the API's problem is kept")
    func malformed() async {
        let log = EventLog()
        let page = Output.text("<html>", headers: ["Content-Type": "text/html"])
        let endpoint = Endpoint.json(Int.self, input, problem: Problem.self).expecting(.json)
        _ = await endpoint.fetch(via: .stub(page).wrapped(by: .listen(to: log.listener)))
        let received = log.events.compactMap { event in
            if case .malformed(_, let debugInfo) = event { debugInfo } else { nil }
        }
        #expect(received == ["text/html where application/json is expected"])
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]
        let problem = Output.text(#"{"message":"no"}"#, status: .conflict, headers: headers)
        #expect(await endpoint.fetch(via: .stub(problem)).failure?.problem == Problem(message: "no"))
    }
}
