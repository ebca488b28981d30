import Foundation
import Testing

@testable import StartSmall

struct PaginationLoopDetectorTests {
    private func input(_ url: String, _ queries: [URLQueryItem] = []) throws -> Input {
        Input(url: try #require(URL(string: url)), queries: queries)
    }

    private func rejections(to urls: [String], limit: Int = 10, alsoAt others: [String] = []) throws -> [String?] {
        let origins = others.compactMap { URL(string: $0).flatMap(Origin.init) }
        var pages = PaginationLoopDetector(limit: limit, origins: Set(origins))
        return try urls.map { url in
            switch pages.check(try input(url)) {
            case nil: nil
            case .repeated: "repeated"
            case .otherOrigin: "otherOrigin"
            case .tooMany: "tooMany"
            case .noResponse: "noResponse"
            }
        }
    }

    @Test("different pages of one origin are not rejected")
    func fine() throws {
        let urls = ["https://a.example/1", "https://a.example:443/2", "HTTPS://A.example/3"]
        #expect(try rejections(to: urls) == [nil, nil, nil])
    }

    @Test(
        "a page that was visited before is rejected, with any fragment",
        arguments: ["https://a.example/1", "https://a.example/1#x"]
    )
    func repeated(_ url: String) throws {
        #expect(try rejections(to: ["https://a.example/1", "https://a.example/2", url]) == [nil, nil, "repeated"])
    }

    @Test("queries count, in the URL and beside it")
    func queries() throws {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        let first = pages.check(try input("https://a.example/?page=1"))
        let second = pages.check(try input("https://a.example/", [.init(name: "page", value: "2")]))
        let again = pages.check(try input("https://a.example/", [.init(name: "page", value: "1")]))
        #expect(first == nil)
        #expect(second == nil)
        #expect(again == .repeated(try #require(URL(string: "https://a.example/?page=1"))))
    }

    /// Returns whether each of three inputs to one URL, with the cursors 1, 2 and 1 elsewhere, is rejected.
    private func rejections(_ say: (String, inout Input) -> Void) throws -> [Bool] {
        var pages = PaginationLoopDetector(limit: 10, origins: [])
        return try ["1", "2", "1"].map { cursor in
            var input = try input("https://a.example/things")
            say(cursor, &input)
            return pages.check(input) != nil
        }
    }

    @Test("one URL with another payload is another page")
    func payload() throws {
        let found = try rejections { cursor, input in
            input.methodAndPayload = .post(payload: Payload(.data(Data(cursor.utf8)), mediaType: .json))
        }
        #expect(found == [false, false, true])
    }

    @Test("one URL with another cursor in its headers is another page")
    func headers() throws {
        let found = try rejections { cursor, input in input.headers["X-Cursor"] = cursor }
        #expect(found == [false, false, true])
    }

    @Test("after a wrapper completed a URL, pages of its origin are allowed, but not that URL again")
    func completed() throws {
        var pages = PaginationLoopDetector(limit: 3, origins: [])
        let first = try input("/1")
        var found = [pages.check(first)]
        pages.remember(first, calledAt: try #require(URL(string: "https://a.example/v3/1")))
        for url in ["https://a.example/v3/1", "https://b.example/2", "https://a.example/v3/2", "/3", "/4"] {
            found.append(pages.check(try input(url)))
        }
        let (again, other) = (try input("https://a.example/v3/1").url, try input("https://b.example/2").url)
        #expect(found == [nil, .repeated(again), .otherOrigin(other), nil, nil, .tooMany(limit: 3)])
    }

    @Test(
        "another origin is rejected",
        arguments: [
            "https://b.example/", "http://a.example/", "https://a.example:444/", "https://sub.a.example/",
            "ftp://a.example/",
            "/relative", "//b.example/",
        ]
    )
    func otherOrigin(_ url: String) throws {
        #expect(try rejections(to: ["https://a.example/", url]) == [nil, "otherOrigin"])
    }

    @Test("an allowed other origin is not rejected, and a third one is")
    func allowed() throws {
        let urls = ["https://a.example/", "https://b.example/", "https://c.example/"]
        #expect(try rejections(to: urls, alsoAt: ["https://b.example"]) == [nil, nil, "otherOrigin"])
    }

    @Test("after a relative first URL, relative URLs are allowed, and absolute ones only at an allowed origin")
    func relative() throws {
        #expect(try rejections(to: ["/1", "/2", "?page=3"]) == [nil, nil, nil])
        #expect(try rejections(to: ["/1", "https://a.example/2"]) == [nil, "otherOrigin"])
        #expect(try rejections(to: ["/1", "//a.example/2"]) == [nil, "otherOrigin"])
        #expect(try rejections(to: ["/1", "https://a.example/2"], alsoAt: ["https://a.example"]) == [nil, nil])
    }

    @Test("as many pages as the limit are allowed, and no more", arguments: 0...3)
    func limit(_ limit: Int) throws {
        let found = try rejections(to: (1...4).map { "https://a.example/\($0)" }, limit: limit)
        #expect(found == (1...4).map { $0 <= limit ? nil : "tooMany" })
    }
}

extension PaginationLoopDetector {
    fileprivate mutating func check(_ input: Input) -> PaginationError<Never>.Reason? { rejection(of: input) }
}
