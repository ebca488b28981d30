import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct StorageTests {
    private func decide(
        _ response: Response,
        _ input: Input = .get(),
        _ options: CacheOptions = CacheOptions()
    ) throws -> StorageDecision {
        let rules = CacheRules(options: options)
        return rules.storage(
            of: response,
            to: try input.cacheable,
            ExchangeTimes(requestedAt: .start, receivedAt: .after(1))
        )
    }

    private func reason(_ response: Response, _ input: Input = .get()) throws -> NotStoredReason? {
        if case .leave(let reason) = try decide(response, input) { reason } else { nil }
    }

    /// The status and the fields of responses, and why they are not stored; nil if they are.
    private static let rows: [(section: String, status: Int, headers: HTTPHeaders, reason: NotStoredReason?)] = [
        ("3", 200, ["Cache-Control": "max-age=9"], nil),
        ("3", 200, ["Expires": httpDate(9)], nil),
        ("3", 200, ["ETag": "\"a\""], nil),
        ("3", 200, ["Last-Modified": httpDate(-9)], nil),
        ("3", 599, ["Cache-Control": "max-age=9"], nil),
        ("3", 302, ["Cache-Control": "max-age=9"], nil),
        ("3", 503, ["Cache-Control": "max-age=9"], nil),
        ("3", 599, ["Cache-Control": "public", "Last-Modified": httpDate(-900)], nil),
        ("3", 201, ["Cache-Control": "private", "ETag": "\"a\""], nil),
        ("3", 201, ["ETag": "\"a\""], .notCacheable),
        ("3", 201, ["Cache-Control": "s-maxage=9", "ETag": "\"a\""], .notCacheable),
        ("3.3", 206, ["Cache-Control": "max-age=9"], .status),
        ("3", 304, ["Cache-Control": "max-age=9"], .status),
        ("3", 103, ["Cache-Control": "max-age=9"], .status),
        ("5.2.2.5", 200, ["Cache-Control": "no-store, max-age=9"], .noStore),
        ("5.2.2.5", 200, ["Cache-Control": "max-age=9", "Cache-Control": "nO-StOrE"], .noStore),
        ("5.2.2.5", 200, ["Cache-Control": "no-store=1, max-age=9"], .noStore),
        ("5.2.2.3", 200, ["Cache-Control": "no-store, must-understand, max-age=9"], .noStore),
        ("5.2.2.3", 299, ["Cache-Control": "must-understand, max-age=9"], .status),
        ("5.2, malformed", 200, ["Cache-Control": "private; max-age=0; no-store", "ETag": "\"a\""], .noStore),
        ("5.2, malformed", 302, ["Cache-Control": "x; max-age=600", "ETag": "\"a\""], .notCacheable),
        ("5.2, malformed", 201, ["Cache-Control": "private; x", "ETag": "\"a\""], .notCacheable),
        ("5.2, malformed", 599, ["Cache-Control": "public; x", "Last-Modified": httpDate(-900)], .notCacheable),
        ("4.2.2, malformed", 404, ["Cache-Control": "x y", "Last-Modified": httpDate(-900)], .noLifetime),
        ("4.2.2", 404, ["Cache-Control": "x", "Last-Modified": httpDate(-900)], nil),
        ("4.1", 200, ["Cache-Control": "max-age=9", "Vary": "*"], .varyAny),
        ("5.2.2.4", 200, ["Cache-Control": "no-cache", "ETag": "\"a\""], nil),
        ("5.2.2.4, useless", 200, ["Cache-Control": "no-cache, max-age=9"], .noLifetime),
        ("5.2.2.2, useless", 200, ["Cache-Control": "max-age=0, must-revalidate"], .noLifetime),
        ("3, useless", 200, [:], .noLifetime),
        ("3, useless", 200, ["ETag": "not,quoted"], .noLifetime),
        ("3, an entity tag without quotes", 200, ["ETag": "unquoted"], .noLifetime),
        ("3, useless", 404, ["ETag": "\"a\""], .noLifetime),
    ]

    @Test("a response is stored if RFC 9111 allows it, and a later request could use it", arguments: rows)
    func storable(section: String, status: Int, headers: HTTPHeaders, reason: NotStoredReason?) throws {
        #expect(try self.reason(Response(statusCode: .from(code: status), headers: headers)) == reason)
    }

    @Test("a response that came by a redirect is not stored")
    func redirect() throws {
        var response = Response(statusCode: .ok, headers: ["Cache-Control": "max-age=9"])
        response.redirections = [Redirection(from: .test, statusCode: .found, to: .test)]
        #expect(try reason(response) == .redirected)
    }

    @Test("a response without lifetime is stored where the options allow it after errors (4.2.4)")
    func option() throws {
        let stored = try decide(Response(statusCode: .ok), .get(), CacheOptions(staleIfError: .seconds(9)))
        guard case .store = stored else { return #expect(Bool(false), "\(stored)") }
    }

    private func stored(_ headers: HTTPHeaders, _ input: Input = .get()) throws -> StoredResponse? {
        if case .store(let stored) = try decide(Response(statusCode: .ok, headers: headers), input) {
            stored
        } else {
            nil
        }
    }

    @Test("fields of a connection, of a proxy, and those named by Connection are not stored (3.1)")
    func connectionFields() throws {
        let stored = try #require(
            try stored([
                "Cache-Control": "max-age=9", "Connection": "a, Cache-Control", "Connection": "B", "A": "1", "b": "2",
                "C": "3", "Keep-Alive": "4", "Proxy-Authenticate": "5", "Proxy-Authentication-Info": "6",
                "Proxy-Authorization": "7", "Proxy-Connection": "8", "TE": "9", "Transfer-Encoding": "10",
                "Upgrade": "11", "Set-Cookie": "a=b", "Set-Cookie": "c=d", "Content-Encoding": "gzip",
            ])
        )
        let names = stored.response.headers.fields.map(\.name)
        #expect(names == ["Cache-Control", "C", "Set-Cookie", "Set-Cookie", "Content-Encoding", "Date"])
    }

    @Test("a missing or malformed Date becomes the time of arrival, and a good one stays (RFC 9110 6.6.1)")
    func date() throws {
        #expect(try stored(["Cache-Control": "max-age=9"])?.response.headers["Date"] == httpDate(1))
        #expect(try stored(["Cache-Control": "max-age=9", "Date": "?"])?.response.headers["Date"] == httpDate(1))
        #expect(
            try stored(["Cache-Control": "max-age=9", "Date": httpDate(-5)])?.response.headers["Date"] == httpDate(-5)
        )
    }

    @Test("the request fields that Vary names are stored with the response, with its times (4.1)")
    func variant() throws {
        let headers: HTTPHeaders = ["Cache-Control": "max-age=9", "Vary": "Accept, X"]
        let stored = try #require(try stored(headers, .get(["Accept": "a", "Y": "1"])))
        #expect(stored.variant == ["accept": "a"])
        #expect(stored.requestedAt == .start && stored.receivedAt == .after(1))
    }

    // Order (4).

    private typealias Times = (requested: Double, received: Double, date: Double)

    private static let orders: [(name: String, existing: Times, new: Times, isReplaced: Bool)] = [
        ("one after the other", (0, 1, 0), (2, 3, 2), true),
        ("a server's clock set back", (0, 1, 50), (2, 3, 2), true),
        ("overlapping, older Date", (1, 2, 2), (0, 3, 1), false),
        ("overlapping, newer Date", (1, 2, 1), (0, 3, 2), true),
        ("overlapping, same Date, older request", (1, 2, 2), (0, 3, 2), false),
        ("overlapping, same Date, newer request", (0, 2, 2), (1, 3, 2), true),
        ("the clock was set back", (900, 901, 900), (2, 3, 2), true),
    ]

    @Test("a response never replaces a newer one (4)", arguments: orders)
    private func order(name: String, existing: Times, new: Times, isReplaced: Bool) {
        func stored(_ times: Times) -> StoredResponse {
            StoredResponse(
                Response(statusCode: .ok, headers: ["Date": httpDate(times.date)]),
                requestedAt: .after(times.requested),
                receivedAt: .after(times.received)
            )
        }
        #expect(stored(new).replaces(stored(existing)) == isReplaced)
    }
}

struct ValidationTests {
    private let times = ExchangeTimes(requestedAt: .after(5), receivedAt: .after(6))

    private static let date = httpDate(-500)

    /// The fields of stored responses, and the conditions that are sent (4.3.1).
    private static let conditions: [(stored: HTTPHeaders, sent: HTTPHeaders)] = [
        (["ETag": "W/\"a\"", "Last-Modified": date], ["If-None-Match": "W/\"a\"", "If-Modified-Since": date]),
        (["Last-Modified": date], ["If-Modified-Since": date]),
        (["ETag": "\"a\""], ["If-None-Match": "\"a\""]), (["ETag": "a=="], [:]),
        (["ETag": "a,b", "Last-Modified": "then"], [:]),
    ]

    @Test("a readable tag and date of a success are sent, as the server wrote them (4.3.1)", arguments: conditions)
    func sent(headers: HTTPHeaders, expected: HTTPHeaders) {
        func conditions(_ status: HTTPStatus) -> HTTPHeaders {
            let stored = StoredResponse.at(headers, status: status)
            return stored.canBeValidated ? stored.conditional(.get()).headers : [:]
        }
        #expect(conditions(.ok) == expected)
        #expect(conditions(.notFound) == [:], "without success (4.3.4)")
    }

    // The meaning of a 304 (4.3.4).

    /// The fields of a stored response and of a 304, and whether the response is stored anew; nil for another version.
    private static let rows: [(name: String, stored: HTTPHeaders, response: HTTPHeaders, isStorable: Bool?)] = [
        ("strong tag", ["ETag": "\"a\""], ["ETag": "\"a\""], true),
        ("another tag", ["ETag": "\"b\""], ["ETag": "\"a\""], nil),
        ("stored weak", ["ETag": "W/\"a\""], ["ETag": "\"a\""], false),
        ("weak tag", ["ETag": "W/\"a\""], ["ETag": "W/\"a\""], true),
        ("stored strong", ["ETag": "\"a\""], ["ETag": "W/\"a\""], true),
        ("a tag for a date", ["Last-Modified": date], ["ETag": "\"a\""], nil),
        ("date", ["Last-Modified": date], ["Last-Modified": date], true),
        ("another date", ["Last-Modified": date], ["Last-Modified": httpDate(-9)], nil),
        ("date for a tag", ["ETag": "\"a\""], ["Last-Modified": date], true),
        ("no validator", ["Last-Modified": date], [:], true),
        ("no-store", ["ETag": "\"a\""], ["ETag": "\"a\"", "Cache-Control": "no-store"], false),
        ("Vary: *", ["ETag": "\"a\""], ["ETag": "\"a\"", "Vary": "*"], false),
    ]

    @Test("a 304 is for the stored version by its tag, its date, or without both (4.3.4)", arguments: rows)
    func meaning(name: String, stored: HTTPHeaders, headers: HTTPHeaders, isStorable: Bool?) throws {
        let stored = StoredResponse.at(stored.merging(["Vary": "Accept"]), variant: ["accept": "a"])
        let response = Response(statusCode: .notModified, headers: headers.merging(["X": "new"]))
        let valid = stored.validated(by: response, for: try Input.get(["Accept": "a"]).cacheable, times)
        #expect(valid?.isStorable == isStorable)
        guard let valid else { return }
        #expect(valid.stored.response.headers["X"] == "new" && valid.stored.response.statusCode == .ok)
        #expect(valid.stored.receivedAt == .after(6) && valid.stored.response.payload == stored.response.payload)
        if headers["Vary"] == nil { #expect(valid.stored.variant == ["accept": "a"]) }
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
