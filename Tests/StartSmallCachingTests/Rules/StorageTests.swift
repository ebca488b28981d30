import Foundation
import StartSmall
import Testing

@testable import StartSmallCaching

struct StorageTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var section: String
        var headers: HTTPHeaders
        var status = 200
        var reason: NotStoredReason?
        var testDescription: String { "\(section): \(status) \(headers.fields.map { "\($0.name): \($0.value)" })" }
    }

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

    private static let rows: [Row] = [
        Row(section: "3", headers: ["Cache-Control": "max-age=9"]),
        Row(section: "3", headers: ["Expires": httpDate(9)]),
        Row(section: "3", headers: ["ETag": "\"a\""]),
        Row(section: "3", headers: ["Last-Modified": httpDate(-9)]),
        Row(section: "3", headers: ["Cache-Control": "max-age=9"], status: 599),
        Row(section: "3", headers: ["Cache-Control": "max-age=9"], status: 302),
        Row(section: "3", headers: ["Cache-Control": "max-age=9"], status: 503),
        Row(section: "3", headers: ["Cache-Control": "public", "Last-Modified": httpDate(-900)], status: 599),
        Row(section: "3", headers: ["Cache-Control": "private", "ETag": "\"a\""], status: 201),
        Row(section: "3", headers: ["ETag": "\"a\""], status: 201, reason: .notCacheable),
        Row(
            section: "3",
            headers: ["Cache-Control": "s-maxage=9", "ETag": "\"a\""],
            status: 201,
            reason: .notCacheable
        ),
        Row(section: "3.3", headers: ["Cache-Control": "max-age=9"], status: 206, reason: .status),
        Row(section: "3", headers: ["Cache-Control": "max-age=9"], status: 304, reason: .status),
        Row(section: "3", headers: ["Cache-Control": "max-age=9"], status: 103, reason: .status),
        Row(section: "5.2.2.5", headers: ["Cache-Control": "no-store, max-age=9"], reason: .noStore),
        Row(
            section: "5.2.2.5",
            headers: ["Cache-Control": "max-age=9", "Cache-Control": "nO-StOrE"],
            reason: .noStore
        ),
        Row(section: "5.2.2.5", headers: ["Cache-Control": "no-store=1, max-age=9"], reason: .noStore),
        Row(section: "5.2.2.3", headers: ["Cache-Control": "no-store, must-understand, max-age=9"]),
        Row(section: "5.2.2.3", headers: ["Cache-Control": "no-store, must-understand, max-age=9"], status: 404),
        Row(
            section: "5.2.2.3",
            headers: ["Cache-Control": "no-store, must-understand, max-age=9"],
            status: 599,
            reason: .status
        ),
        Row(section: "5.2.2.3", headers: ["Cache-Control": "must-understand, max-age=9"], status: 599, reason: .status),
        Row(section: "4.1", headers: ["Cache-Control": "max-age=9", "Vary": "*"], reason: .varyAny),
        Row(section: "5.2.2.4", headers: ["Cache-Control": "no-cache", "ETag": "\"a\""]),
        Row(section: "5.2.2.4, useless", headers: ["Cache-Control": "no-cache, max-age=9"], reason: .noLifetime),
        Row(section: "5.2.2.2, useless", headers: ["Cache-Control": "max-age=0, must-revalidate"], reason: .noLifetime),
        Row(section: "3, useless", headers: [:], reason: .noLifetime),
        Row(section: "3, useless", headers: ["ETag": "not,quoted"], reason: .noLifetime),
        Row(section: "3, an entity tag without quotes", headers: ["ETag": "unquoted"]),
        Row(section: "3, useless", headers: ["ETag": "\"a\""], status: 404, reason: .noLifetime),
    ]

    @Test("a response is stored if RFC 9111 allows it, and a later request could use it", arguments: rows)
    func storable(_ row: Row) throws {
        let response = Response(statusCode: .from(code: row.status), headers: row.headers)
        #expect(try reason(response) == row.reason)
    }

    @Test("the response to a HEAD, and one that came by a redirect, are not stored (3, 4.3.5)")
    func methodAndRedirect() throws {
        var response = Response(statusCode: .ok, headers: ["Cache-Control": "max-age=9"])
        #expect(try reason(response, .head()) == .method)
        response.redirections = [Redirection(from: .test, statusCode: .found, to: .test)]
        #expect(try reason(response) == .redirected)
    }

    @Test("a response to a request with Authorization is stored: the cache is private (3.5)")
    func authorization() throws {
        let response = Response(statusCode: .ok, headers: ["Cache-Control": "max-age=9"])
        #expect(try reason(response, .get(["Authorization": "Bearer a"])) == nil)
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

    @Test("fields of a qualified no-cache are not stored, those of a qualified private are (3.1, 5.2.2.4, 5.2.2.7)")
    func qualified() throws {
        let cacheControl = "max-age=9, no-cache=\"A, b\", private=\"C\""
        let stored = try #require(try stored(["Cache-Control": cacheControl, "A": "1", "B": "2", "C": "3", "D": "4"]))
        #expect(stored.response.headers.fields.map(\.name) == ["Cache-Control", "C", "D", "Date"])
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

    struct Order: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var existing: (requested: Double, received: Double, date: Double?)
        var new: (requested: Double, received: Double, date: Double?)
        var isReplaced: Bool
    }

    private static let orders: [Order] = [
        Order(testDescription: "one after the other", existing: (0, 1, 0), new: (2, 3, 2), isReplaced: true),
        Order(testDescription: "a server's clock set back", existing: (0, 1, 50), new: (2, 3, 2), isReplaced: true),
        Order(testDescription: "overlapping, older Date", existing: (1, 2, 2), new: (0, 3, 1), isReplaced: false),
        Order(testDescription: "overlapping, newer Date", existing: (1, 2, 1), new: (0, 3, 2), isReplaced: true),
        Order(
            testDescription: "overlapping, same Date, older request",
            existing: (1, 2, 2),
            new: (0, 3, 2),
            isReplaced: false
        ),
        Order(
            testDescription: "overlapping, same Date, newer request",
            existing: (0, 2, 2),
            new: (1, 3, 2),
            isReplaced: true
        ),
        Order(testDescription: "the clock was set back", existing: (900, 901, 900), new: (2, 3, 2), isReplaced: true),
    ]

    @Test("a response never replaces a newer one (4)", arguments: orders)
    func order(_ row: Order) {
        func stored(_ times: (requested: Double, received: Double, date: Double?)) -> StoredResponse {
            let headers: HTTPHeaders = ["Date": httpDate(times.date ?? 0)]
            return StoredResponse(
                Response(statusCode: .ok, headers: headers),
                requestedAt: .after(times.requested),
                receivedAt: .after(times.received)
            )
        }
        #expect(stored(row.new).replaces(stored(row.existing)) == row.isReplaced)
    }
}
