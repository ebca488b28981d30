import Foundation
import StartSmallModels
import Testing

struct ExtraTests {
    private struct Book: KeyedModel, Equatable {
        var bookTitle: String?
        var pages = 0

        enum CodingKeys: String, CodingKey, CaseIterable { case bookTitle, pages }
    }

    @Test("members that a model does not have are written back", arguments: ModelDecoder.allCases)
    func kept(_ decoder: ModelDecoder) throws {
        let text = #"{"a":[1,"b",[],{}],"b":{"c":{"pages":null}},"bookTitle":"x","d":true,"e":null,"pages":1}"#
        var book = try decoder.decode(Extra<Book>.self, text)
        #expect(try json(book) == text)

        (book.bookTitle, book.pages) = (nil, 2)
        #expect(try json(book) == #"{"a":[1,"b",[],{}],"b":{"c":{"pages":null}},"d":true,"e":null,"pages":2}"#)
    }

    @Test("no other member overrides one of the model, also where the model writes none")
    func overriding() throws {
        let book = Extra(Book(pages: 3), members: ["pages": .number(4), "bookTitle": .string("x"), "a": .null])
        #expect(try json(book) == #"{"a":null,"pages":3}"#)
    }

    @Test(
        "numbers stay exact",
        arguments: ModelDecoder.allCases,
        [
            "0", "-1", "9007199254740993", "-9223372036854775808", "18446744073709551616", "0.1",
            "1234567890.123456789",
            "999999999999999999999999999999", "-0.999999999999999999999999999999",
        ]
    )
    func numbers(_ decoder: ModelDecoder, _ number: String) throws {
        let text = #"{"a":[\#(number)],"pages":0}"#
        #expect(try json(decoder.decode(Extra<Book>.self, text)) == text)
    }

    @Test(
        "a number that may have lost digits is an error with its path",
        arguments: ModelDecoder.allCases,
        [
            "1000000000000000000000000000001", "-1000000000000000000000000000001",
            "0.12345678901234567890123456789012345678901234", "340282366920938463463374607431768211456",
            "485984856298047079128226386934832298606", "8740756798832806435319266949214.34927602482260", "1e400",
            "1e-400",
        ]
    )
    func inexact(_ decoder: ModelDecoder, _ number: String) {
        #expect(path { try decoder.decode(Extra<Book>.self, #"{"a":[\#(number)],"pages":0}"#) } == ["a", "0"])
    }

    @Test(
        "names that the decoder converts are refused",
        arguments: ModelDecoder.allCases,
        ["line_1", "book_title", "page_size", "_"].map { "\"\($0)\"" }
    )
    func names(_ decoder: ModelDecoder, _ name: String) {
        let text = "{\(name):null,\"pages\":1}"
        let isConverted = name != "\"_\""
        let path = path { try decoder.decode(Extra<Book>.self, text, keys: .convertFromSnakeCase) }
        #expect(path == (isConverted ? [] : nil))
    }

    @Test("values are nested at most 64 deep, in time that grows with their number", arguments: ModelDecoder.allCases)
    func depth(_ decoder: ModelDecoder) throws {
        func text(_ depth: Int, _ open: String, _ close: String, _ inside: String) -> String {
            let (start, end) = (String(repeating: open, count: depth), String(repeating: close, count: depth))
            return #"{"a":"# + start + inside + end + #","pages":0}"#
        }
        for (open, close) in [("[", "]"), (#"{"b":"#, "}")] {
            let kept = text(64, open, close, "1")
            #expect(try json(decoder.decode(Extra<Book>.self, kept)) == kept)
            #expect(throws: DecodingError.self) { try decoder.decode(Extra<Book>.self, text(65, open, close, "1")) }
        }
        let flood = "[" + String(repeating: "1,", count: 10_000) + "1]"
        #expect(throws: DecodingError.self) { try decoder.decode(Extra<Book>.self, text(500, "[", "]", flood)) }
    }

    @Test("a nested model keeps what it does not have in an Extra of its own", arguments: ModelDecoder.allCases)
    func nested(_ decoder: ModelDecoder) throws {
        struct Shelf: KeyedModel {
            let first: Extra<Book>
            var second: Book?
            enum CodingKeys: String, CodingKey, CaseIterable { case first, second }
        }
        let text = #"{"first":{"a":1,"pages":1},"second":{"a":1,"pages":2}}"#
        let shelf = try decoder.decode(Extra<Shelf>.self, text)
        #expect(shelf.first.pages == 1)
        #expect(try json(shelf) == #"{"first":{"a":1,"pages":1},"second":{"pages":2}}"#)
    }

    @Test("a number that JSON does not have is an error")
    func notANumber() {
        #expect(path { try json(Extra(Book(), members: ["a": .number(.nan)])) } == ["a"])
    }

    @Test("queries and forms have all members")
    func queries() throws {
        let book = Extra(Book(bookTitle: "x"), members: ["a": .array([.number(1.5), .bool(true)])])
        #expect(try Set(query(book)) == ["a[]=1.5", "a[]=true", "bookTitle=x", "pages=0"])
    }
}
