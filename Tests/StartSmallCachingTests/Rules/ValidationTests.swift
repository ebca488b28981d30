import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct ValidationTests {
    private let rules = CacheRules.standard

    private func forwarding(_ stored: [StoredResponse], _ input: Input = .get()) throws -> Forwarding {
        let decision = rules.decision(on: try input.cacheable, stored, at: .after(1000))
        guard case .forward(let forwarding) = decision else { throw NotForwarded(decision: decision) }
        return forwarding
    }

    struct NotForwarded: Error { var decision: CacheDecision }

    private func conditions(_ stored: [StoredResponse], _ input: Input = .get()) throws -> HTTPHeaders {
        let validation = try forwarding(stored, input).validation
        return validation?.conditional(.get()).headers ?? [:]
    }

    private static let date = httpDate(-500)

    // Conditions (4.3.1).

    @Test("the tag and the date of a single response are sent, as the server wrote them (4.3.1)")
    func single() throws {
        #expect(
            try conditions([.at(["ETag": "W/\"a\"", "Last-Modified": Self.date])]) == [
                "If-None-Match": "W/\"a\"", "If-Modified-Since": Self.date,
            ]
        )
        let odd = Self.date.lowercased()
        #expect(try conditions([.at(["Last-Modified": odd])]) == ["If-Modified-Since": odd])
        #expect(try conditions([.at(["ETag": "\"a\""])]) == ["If-None-Match": "\"a\""])
        #expect(try conditions([.at(["ETag": "a=="])]) == ["If-None-Match": "a=="])
    }

    @Test("a response without a readable validator, or without success, is not validated (4.3.1, 4.3.4)")
    func none() throws {
        #expect(try conditions([.at(["ETag": "a,b", "Last-Modified": "then", "Expires": "0"])]) == [:])
        #expect(try conditions([.at(["ETag": "\"a\"", "Expires": "0"], status: .notFound)]) == [:])
    }

    private static func variant(_ accept: String, _ tag: String, date: Double = 0) -> StoredResponse {
        .at(
            ["ETag": tag, "Vary": "Accept", "Expires": "0", "Date": httpDate(date)],
            variant: ["accept": accept],
            payload: accept
        )
    }

    @Test("the tags of all variants are sent, each once, that of the selected one first, without a date (4.3.1)")
    func variants() throws {
        let stored = [
            Self.variant("a", "\"1\"", date: 1), Self.variant("b", "\"2\""), Self.variant("c", "\"1\"", date: 2),
        ]
        #expect(try conditions(stored, .get(["Accept": "b"])) == ["If-None-Match": "\"2\", \"1\""])
        #expect(try conditions(stored, .get(["Accept": "other"])) == ["If-None-Match": "\"1\", \"2\""])
    }

    @Test("no date is sent with the tags of several responses (4.3.1)")
    func noDate() throws {
        let dated = StoredResponse.at(
            ["ETag": "\"1\"", "Last-Modified": Self.date, "Vary": "Accept", "Expires": "0"],
            variant: ["accept": "a"]
        )
        let headers = try conditions([dated, Self.variant("b", "\"2\"")], .get(["Accept": "a"]))
        #expect(headers == ["If-None-Match": "\"1\", \"2\""])
        #expect(try conditions([dated], .get(["Accept": "a"])).contains("If-Modified-Since"))
        #expect(try conditions([dated], .get(["Accept": "b"])) == ["If-None-Match": "\"1\""], "not the selected one")
    }

    @Test("a selected response without tag is validated by its date alone (4.3.1)")
    func dateAlone() throws {
        let plain = StoredResponse.at(
            ["Last-Modified": Self.date, "Vary": "Accept", "Expires": "0"],
            variant: ["accept": "a"]
        )
        let headers = try conditions([plain, Self.variant("b", "\"2\"")], .get(["Accept": "a"]))
        #expect(headers == ["If-Modified-Since": Self.date])
    }

    @Test("at most 32 tags are sent")
    func bound() throws {
        let stored = (0..<100).map { Self.variant("\($0)", "\"\($0)\"", date: Double($0)) }
        let tags = try conditions(stored, .get(["Accept": "50"]))["If-None-Match"]?.split(separator: ",")
        #expect(tags?.count == Validation.maximumTags && tags?.first == "\"50\"")
    }

    @Test("a HEAD and a request with the caller's own condition are sent as they are (4.3.2)")
    func unchanged() throws {
        let stored = [StoredResponse.at(["ETag": "\"a\"", "Expires": "0"])]
        #expect(try forwarding(stored, .head()).validation == nil)
        #expect(try forwarding(stored, .get(["If-None-Match": "\"x\""])).validation == nil)
    }

    // Selection of what a 304 updates (4.3.4).

    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var stored: [HTTPHeaders]
        var response: HTTPHeaders

        /// The number of the stored response that is the answer; nil if the request has to be repeated.
        var answer: Int?
        var updated: Set<Int>
    }

    private static let rows: [Row] = [
        Row(
            testDescription: "strong tag, all with it",
            stored: [["ETag": "\"a\""], ["ETag": "\"b\""], ["ETag": "\"a\""]],
            response: ["ETag": "\"a\""],
            answer: 2,
            updated: [0, 2]
        ),
        Row(
            testDescription: "strong tag, none with it",
            stored: [["ETag": "\"b\""]],
            response: ["ETag": "\"a\""],
            answer: nil,
            updated: []
        ),
        Row(
            testDescription: "strong tag, stored weak",
            stored: [["ETag": "W/\"a\""]],
            response: ["ETag": "\"a\""],
            answer: 0,
            updated: []
        ),
        Row(
            testDescription: "weak tag, most recent",
            stored: [["ETag": "W/\"a\""], ["ETag": "W/\"a\""]],
            response: ["ETag": "W/\"a\""],
            answer: 1,
            updated: [1]
        ),
        Row(
            testDescription: "weak tag, stored strong",
            stored: [["ETag": "\"a\""]],
            response: ["ETag": "W/\"a\""],
            answer: 0,
            updated: [0]
        ),
        Row(
            testDescription: "tag without quotes",
            stored: [["ETag": "\"a\""], ["ETag": "a"], ["ETag": "b"]],
            response: ["ETag": "a"],
            answer: 1,
            updated: [1]
        ),
        Row(
            testDescription: "weak tag, none with it",
            stored: [["ETag": "W/\"b\""]],
            response: ["ETag": "W/\"a\""],
            answer: nil,
            updated: []
        ),
        Row(
            testDescription: "date, equal",
            stored: [["Last-Modified": date]],
            response: ["Last-Modified": date],
            answer: 0,
            updated: [0]
        ),
        Row(
            testDescription: "date, different",
            stored: [["Last-Modified": date]],
            response: ["Last-Modified": httpDate(-9)],
            answer: nil,
            updated: []
        ),
        Row(
            testDescription: "date for a tag",
            stored: [["ETag": "\"a\""]],
            response: ["Last-Modified": date],
            answer: 0,
            updated: [0]
        ),
        Row(
            testDescription: "no validator, single",
            stored: [["Last-Modified": date]],
            response: [:],
            answer: 0,
            updated: [0]
        ),
        Row(
            testDescription: "no validator, several",
            stored: [["ETag": "\"a\""], ["ETag": "\"b\""]],
            response: [:],
            answer: nil,
            updated: []
        ),
        Row(
            testDescription: "no-store",
            stored: [["ETag": "\"a\""]],
            response: ["ETag": "\"a\"", "Cache-Control": "no-store"],
            answer: 0,
            updated: []
        ),
    ]

    @Test("a 304 selects by strong tag, weak tag, date, or as the single one (4.3.4)", arguments: rows)
    func selection(_ row: Row) throws {
        let candidates = row.stored.enumerated().map { number, headers in
            // Each for another value of the field, and none for that of the request.
            StoredResponse.at(
                headers.merging(["Vary": "Accept", "Date": httpDate(Double(number))]),
                variant: ["accept": "\(number)"],
                payload: "\(number)"
            )
        }
        let validation = Validation(candidates: candidates, tags: [], lastModified: nil)
        let request = try Input.get(["Accept": "new"]).cacheable
        let response = Response(statusCode: .notModified, headers: row.response.merging(["X": "new"]))
        let result = validation.result(of: response, for: request, requestedAt: .after(5), receivedAt: .after(6))
        guard case .valid(let answer, let updated) = result else {
            #expect(row.answer == nil)
            return
        }
        let number = { (stored: StoredResponse) in Int(String(decoding: stored.response.payload, as: UTF8.self)) }
        #expect(number(answer) == row.answer && answer.response.headers["X"] == "new")
        #expect(answer.response.statusCode == .ok)
        #expect(Set(updated.compactMap(number)) == row.updated)
        #expect(updated.allSatisfy { $0.response.headers["X"] == "new" && $0.receivedAt == .after(6) })
        if !updated.isEmpty { #expect(updated.first?.variant == ["accept": "new"], "for the presented request (4.1)") }
    }

    // Updating (3.2).

    @Test("a 304 replaces each field that it has, keeps the others, and never the length or the coding (3.2)")
    func update() throws {
        let stored = StoredResponse.at(
            [
                "ETag": "\"a\"", "Expires": "0", "A": "old", "A": "old 2", "B": "kept", "Content-Length": "7",
                "Content-Encoding": "gzip", "Content-Range": "x", "Content-Type": "text/plain", "Age": "50",
                "Date": httpDate(-50), "Set-Cookie": "a=old",
            ],
            isInvalidated: true
        )
        let response = Response(
            statusCode: .notModified,
            headers: [
                "ETag": "\"a\"", "a": "new", "Content-Length": "0", "Content-Encoding": "br", "Content-Range": "y",
                "Content-Type": "text/csv", "Connection": "C", "C": "hop", "Keep-Alive": "1",
                "Cache-Control": "max-age=60",
            ]
        )
        let updated = stored.updated(by: response, requestedAt: .after(5), receivedAt: .after(6))
        #expect(
            updated.response.headers == [
                "Expires": "0", "B": "kept", "Content-Length": "7", "Content-Encoding": "gzip", "Content-Range": "x",
                "ETag": "\"a\"", "A": "new", "Content-Type": "text/csv", "Cache-Control": "max-age=60",
                "Date": httpDate(6),
            ]
        )
        #expect(updated.requestedAt == .after(5) && updated.receivedAt == .after(6) && !updated.isInvalidated)
        #expect(updated.response.payload == stored.response.payload)
        let freshness = Freshness(of: updated, at: .after(6), hasQuery: false, CacheOptions())
        #expect(freshness.age == 1 && freshness.isFresh, "the age of the old response is over (4.2.3)")
    }

    // HEAD (4.3.5).

    struct Head: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var stored: HTTPHeaders = ["ETag": "\"a\"", "Content-Length": "7"]
        var head: HTTPHeaders
        var status = HTTPStatus.ok
        var isUpdated: Bool?
    }

    private static let tag: HTTPHeaders = ["ETag": "\"a\""]

    private static let heads: [Head] = [
        Head(testDescription: "same tag and length", head: ["ETag": "\"a\"", "Content-Length": "7"], isUpdated: true),
        Head(
            testDescription: "same date",
            stored: ["Last-Modified": date],
            head: ["Last-Modified": date],
            isUpdated: true
        ),
        Head(testDescription: "nothing to compare", head: [:], isUpdated: nil),
        Head(testDescription: "only the length to compare", head: ["Content-Length": "7"], isUpdated: nil),
        Head(testDescription: "other tag", head: ["ETag": "\"b\""], isUpdated: false),
        Head(testDescription: "other date", head: ["ETag": "\"a\"", "Last-Modified": date], isUpdated: false),
        Head(testDescription: "other length", head: ["ETag": "\"a\"", "Content-Length": "8"], isUpdated: false),
        Head(
            testDescription: "length of the payload",
            stored: tag,
            head: ["ETag": "\"a\"", "Content-Length": "7"],
            isUpdated: true
        ),
        Head(
            testDescription: "other length of the payload",
            stored: tag,
            head: ["ETag": "\"a\"", "Content-Length": "9"],
            isUpdated: false
        ),
        Head(testDescription: "other length alone", stored: [:], head: ["Content-Length": "9"], isUpdated: false),
        Head(
            testDescription: "coded payload",
            stored: ["ETag": "\"a\"", "Content-Encoding": "gzip"],
            head: ["ETag": "\"a\"", "Content-Length": "9"],
            isUpdated: true
        ),
        Head(testDescription: "Vary: *", head: ["ETag": "\"a\"", "Vary": "*"], isUpdated: false),
        Head(testDescription: "no-store", head: ["ETag": "\"a\"", "Cache-Control": "no-store"], isUpdated: nil),
        Head(testDescription: "404", head: ["ETag": "\"b\""], status: .notFound, isUpdated: nil),
    ]

    @Test(
        "a 200 to HEAD updates the stored response of the same version, and makes another one stale (4.3.5)",
        arguments: heads
    )
    func head(_ row: Head) throws {
        let stored = StoredResponse.at(row.stored.merging(["Cache-Control": "max-age=9"]))
        let response = Response(statusCode: row.status, headers: row.head.merging(["X": "new"]))
        let request = try Input.head().cacheable
        let changes = rules.changes(by: response, to: request, [stored], requestedAt: .after(5), receivedAt: .after(6))
        #expect(changes.count == (row.isUpdated == nil ? 0 : 1))
        guard let change = changes.first else { return }
        #expect(change.isInvalidated == (row.isUpdated == false))
        #expect(change.response.headers["X"] == (row.isUpdated == true ? "new" : nil))
        #expect(change.response.payload == stored.response.payload)
    }

    @Test("a HEAD changes only the responses that it selects (4.3.5)")
    func otherVariants() throws {
        let stored = [Self.variant("a", "\"1\""), Self.variant("b", "\"2\"")]
        let response = Response(statusCode: .ok, headers: ["ETag": "\"3\""])
        let request = try Input.head(["Accept": "b"]).cacheable
        let changes = rules.changes(by: response, to: request, stored, requestedAt: .start, receivedAt: .start)
        #expect(changes == [stored[1].invalidated()])
    }
}
