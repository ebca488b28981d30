import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct ValidationTests {
    private let times = ExchangeTimes(requestedAt: .after(5), receivedAt: .after(6))

    private static let date = httpDate(-500)

    private func conditions(_ stored: StoredResponse, _ input: Input = .get()) throws -> HTTPHeaders {
        stored.canBeValidated(for: try input.cacheable) ? stored.conditional(.get()).headers : [:]
    }

    // Conditions (4.3.1).

    @Test("the tag and the date of a response are sent, as the server wrote them (4.3.1)")
    func sent() throws {
        #expect(
            try conditions(.at(["ETag": "W/\"a\"", "Last-Modified": Self.date])) == [
                "If-None-Match": "W/\"a\"", "If-Modified-Since": Self.date,
            ]
        )
        let odd = Self.date.lowercased()
        #expect(try conditions(.at(["Last-Modified": odd])) == ["If-Modified-Since": odd])
        #expect(try conditions(.at(["ETag": "\"a\""])) == ["If-None-Match": "\"a\""])
        #expect(try conditions(.at(["ETag": "a=="])) == ["If-None-Match": "a=="])
    }

    @Test("a response without a readable validator, or without success, is not validated (4.3.1, 4.3.4)")
    func none() throws {
        #expect(try conditions(.at(["ETag": "a,b", "Last-Modified": "then"])) == [:])
        #expect(try conditions(.at(["ETag": "\"a\""], status: .notFound)) == [:])
    }

    @Test("a HEAD and a request with the caller's own condition are sent as they are (4.3.2)")
    func unchanged() throws {
        let stored = StoredResponse.at(["ETag": "\"a\""])
        #expect(try conditions(stored, .head()) == [:])
        #expect(try conditions(stored, .get(["If-None-Match": "\"x\""])) == [:])
    }

    // The meaning of a 304 (4.3.4).

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var stored: HTTPHeaders
        var response: HTTPHeaders

        /// Whether the stored response is stored anew; nil if the 304 is for another version.
        var isStorable: Bool?
    }

    private static let rows: [Row] = [
        Row(testDescription: "strong tag", stored: ["ETag": "\"a\""], response: ["ETag": "\"a\""], isStorable: true),
        Row(testDescription: "another tag", stored: ["ETag": "\"b\""], response: ["ETag": "\"a\""], isStorable: nil),
        Row(
            testDescription: "stored weak",
            stored: ["ETag": "W/\"a\""],
            response: ["ETag": "\"a\""],
            isStorable: false
        ),
        Row(testDescription: "weak tag", stored: ["ETag": "W/\"a\""], response: ["ETag": "W/\"a\""], isStorable: true),
        Row(
            testDescription: "stored strong",
            stored: ["ETag": "\"a\""],
            response: ["ETag": "W/\"a\""],
            isStorable: true
        ),
        Row(testDescription: "tag without quotes", stored: ["ETag": "a"], response: ["ETag": "a"], isStorable: true),
        Row(
            testDescription: "a tag for a date",
            stored: ["Last-Modified": date],
            response: ["ETag": "a"],
            isStorable: nil
        ),
        Row(
            testDescription: "date",
            stored: ["Last-Modified": date],
            response: ["Last-Modified": date],
            isStorable: true
        ),
        Row(
            testDescription: "another date",
            stored: ["Last-Modified": date],
            response: ["Last-Modified": httpDate(-9)],
            isStorable: nil
        ),
        Row(
            testDescription: "date for a tag",
            stored: ["ETag": "\"a\""],
            response: ["Last-Modified": date],
            isStorable: true
        ),
        Row(testDescription: "no validator", stored: ["Last-Modified": date], response: [:], isStorable: true),
        Row(
            testDescription: "no-store",
            stored: ["ETag": "\"a\""],
            response: ["ETag": "\"a\"", "Cache-Control": "no-store"],
            isStorable: false
        ),
        Row(
            testDescription: "Vary: *",
            stored: ["ETag": "\"a\""],
            response: ["ETag": "\"a\"", "Vary": "*"],
            isStorable: false
        ),
    ]

    @Test("a 304 is for the stored version by its tag, its date, or without both (4.3.4)", arguments: rows)
    func meaning(_ row: Row) throws {
        let stored = StoredResponse.at(row.stored.merging(["Vary": "Accept"]), variant: ["accept": "a"])
        let response = Response(statusCode: .notModified, headers: row.response.merging(["X": "new"]))
        let valid = stored.validated(by: response, for: try Input.get(["Accept": "a"]).cacheable, times)
        #expect(valid?.isStorable == row.isStorable)
        guard let valid else { return }
        #expect(valid.stored.response.headers["X"] == "new" && valid.stored.response.statusCode == .ok)
        #expect(valid.stored.receivedAt == .after(6) && valid.stored.response.payload == stored.response.payload)
        if row.response["Vary"] == nil { #expect(valid.stored.variant == ["accept": "a"]) }
    }

    // Updating (3.2).

    @Test("a 304 replaces each field that it has, keeps the others, and never the length or the coding (3.2)")
    func update() throws {
        let stored = StoredResponse.at(
            [
                "ETag": "\"a\"", "Expires": "0", "A": "old", "A": "old 2", "B": "kept", "Content-Length": "7",
                "Content-Encoding": "gzip", "Content-Range": "x", "Content-Type": "text/plain", "Age": "50",
                "Date": httpDate(-50), "Set-Cookie": "a=old",
            ]
        )
        let response = Response(
            statusCode: .notModified,
            headers: [
                "ETag": "\"a\"", "a": "new", "Content-Length": "0", "Content-Encoding": "br", "Content-Range": "y",
                "Content-Type": "text/csv", "Connection": "C", "C": "hop", "Keep-Alive": "1",
                "Cache-Control": "max-age=60",
            ]
        )
        let updated = stored.updated(by: response, times)
        #expect(
            updated.response.headers == [
                "Expires": "0", "B": "kept", "Content-Length": "7", "Content-Encoding": "gzip", "Content-Range": "x",
                "ETag": "\"a\"", "A": "new", "Content-Type": "text/csv", "Cache-Control": "max-age=60",
                "Date": httpDate(6),
            ]
        )
        #expect(updated.requestedAt == .after(5) && updated.receivedAt == .after(6))
        #expect(updated.response.payload == stored.response.payload)
        let freshness = Freshness(of: updated, at: .after(6), hasQuery: false, CacheOptions())
        #expect(freshness.age == 1 && freshness.isFresh, "the age of the old response is over (4.2.3)")
    }
}
