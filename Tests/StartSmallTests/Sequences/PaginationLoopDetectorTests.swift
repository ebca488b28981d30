import Foundation
import Testing

@testable import StartSmall

struct PaginationLoopDetectorTests {
    private func input(_ url: String, _ queries: [URLQueryItem] = []) throws -> Input {
        Input(url: try #require(URL(string: url)), queries: queries)
    }

    private func objections(to urls: [String], limit: Int = 10, alsoAt others: [String] = []) throws -> [String?] {
        let origins = others.compactMap { URL(string: $0).flatMap(Origin.init) }
        var pages = PaginationLoopDetector(limit: limit, origins: Set(origins))
        return try urls.map { url in
            switch pages.rejectionReason(to: try input(url)) {
            case nil: nil
            case .repeated: "repeated"
            case .otherOrigin: "otherOrigin"
            case .tooMany: "tooMany"
            }
        }
    }

    @Test("pages that differ, of one origin, are no matter")
    func fine() throws {
        let urls = ["https://a.example/1", "https://a.example:443/2", "HTTPS://A.example/3"]
        #expect(try objections(to: urls) == [nil, nil, nil])
    }

    @Test(
        "a page that was there before is refused, whatever its fragment",
        arguments: ["https://a.example/1", "https://a.example/1#x"]
    )
    func repeated(_ url: String) throws {
        #expect(try objections(to: ["https://a.example/1", "https://a.example/2", url]) == [nil, nil, "repeated"])
    }

    @Test("queries count, wherever they stand")
    func queries() throws {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        let first = pages.rejectionReason(to: try input("https://a.example/?page=1"))
        let second = pages.rejectionReason(to: try input("https://a.example/", [.init(name: "page", value: "2")]))
        let again = pages.rejectionReason(to: try input("https://a.example/", [.init(name: "page", value: "1")]))
        #expect(first == nil)
        #expect(second == nil)
        #expect(again == .repeated(try #require(URL(string: "https://a.example/?page=1"))))
    }

    /// Whether there is an objection to each of three inputs to one URL that say their cursor elsewhere: 1, 2, and 1 again.
    private func objections(_ say: (String, inout Input) -> Void) throws -> [Bool] {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        return try ["1", "2", "1"].map { cursor in
            var input = try input("https://a.example/things")
            say(cursor, &input)
            return pages.rejectionReason(to: input) != nil
        }
    }

    @Test("one URL with another payload is another page")
    func payload() throws {
        let found = try objections { cursor, input in
            input.methodAndPayload = .post(payload: Payload(.data(Data(cursor.utf8)), mediaType: .json))
        }
        #expect(found == [false, false, true])
    }

    @Test("one URL with another cursor in its headers is another page")
    func headers() throws {
        let found = try objections { cursor, input in input.headers.set("X-Cursor", to: cursor) }
        #expect(found == [false, false, true])
    }

    @Test("where a wrapper completed a URL, pages of that origin may follow, but not that one again")
    func completed() throws {
        var pages = PaginationLoopDetector(limit: 3, origins: [])
        let first = try input("/1")
        var found = [pages.rejectionReason(to: first)]
        pages.remember(first, calledAt: try #require(URL(string: "https://a.example/v3/1")))
        for url in ["https://a.example/v3/1", "https://b.example/2", "https://a.example/v3/2", "/3", "/4"] {
            found.append(pages.rejectionReason(to: try input(url)))
        }
        let (again, other) = (try input("https://a.example/v3/1").url, try input("https://b.example/2").url)
        #expect(found == [nil, .repeated(again), .otherOrigin(other), nil, nil, .tooMany(limit: 3)])
    }

    @Test(
        "another origin is refused",
        arguments: [
            "https://b.example/", "http://a.example/", "https://a.example:444/", "https://sub.a.example/",
            "ftp://a.example/",
            "/relative", "//b.example/",
        ]
    )
    func otherOrigin(_ url: String) throws {
        #expect(try objections(to: ["https://a.example/", url]) == [nil, "otherOrigin"])
    }

    @Test("another origin that is allowed is not, and no third one is")
    func allowed() throws {
        let urls = ["https://a.example/", "https://b.example/", "https://c.example/"]
        #expect(try objections(to: urls, alsoAt: ["https://b.example"]) == [nil, nil, "otherOrigin"])
    }

    @Test("where the first URL is relative, relative ones follow, and absolute ones must be allowed")
    func relative() throws {
        #expect(try objections(to: ["/1", "/2", "?page=3"]) == [nil, nil, nil])
        #expect(try objections(to: ["/1", "https://a.example/2"]) == [nil, "otherOrigin"])
        #expect(try objections(to: ["/1", "//a.example/2"]) == [nil, "otherOrigin"])
        #expect(try objections(to: ["/1", "https://a.example/2"], alsoAt: ["https://a.example"]) == [nil, nil])
    }

    @Test("as many pages as allowed, and no more", arguments: 0...3)
    func limit(_ limit: Int) throws {
        let found = try objections(to: (1...4).map { "https://a.example/\($0)" }, limit: limit)
        #expect(found == (1...4).map { $0 <= limit ? nil : "tooMany" })
    }
}
