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
            "9999999999999999999999999999999999999", "-0.9999999999999999999999999999999999999",
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
            "10000000000000000000000000000000000001", "0.12345678901234567890123456789012345678901234",
            "340282366920938463463374607431768211456", "1e400", "1e-400",
        ]
    )
    func inexact(_ decoder: ModelDecoder, _ number: String) {
        #expect(path { try decoder.decode(Extra<Book>.self, #"{"a":[\#(number)],"pages":0}"#) } == ["a", "0"])
    }

    @Test("names are converted from snake case and back", arguments: ModelDecoder.allCases)
    func names(_ decoder: ModelDecoder) throws {
        let text = #"{"book_title":"x","page_size":{"is_large":true},"pages":1}"#
        let book = try decoder.decode(Extra<Book>.self, text, keys: .convertFromSnakeCase)
        #expect(book.members == ["pageSize": .object(["is_large": .bool(true)])])
        #expect(try json(book, keys: .convertToSnakeCase) == text)
    }

    @Test("queries and forms have all members")
    func queries() throws {
        let book = Extra(Book(bookTitle: "x"), members: ["a": .array([.number(1.5), .bool(true)])])
        #expect(try Set(query(book)) == ["a[]=1.5", "a[]=true", "bookTitle=x", "pages=0"])
    }
}
