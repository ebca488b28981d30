import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallSupport
@testable import StartSmallCaching

extension Target {
    /// The rules of the private cache, its URLs, and the files of a cache directory.
    static let caching = [cacheRules, cacheURL, cacheEntry]

    /// The lines before the first empty one are those of a stored response, the others those of a request.
    private static let cacheRules = Target(
        name: "cache-rules",
        words: [
            "Cache-Control: ", "max-age=", "no-cache", "no-cache=\"Vary\"", "must-revalidate", "stale-if-error=9", ", ",
            "Age: ", "Date: ", "Expires: ", "Last-Modified: ", "Tue, 14 Nov 2023 22:13:20 GMT", "99999999999999999999",
            "Vary: ", "Accept", "*", "ETag: \"a\"", "W/", "If-None-Match: ", "max-stale", "min-fresh=", "\n", "\n\n",
            "Connection: ",
        ],
        starts: ["Vary: ", "Cache-Control: no-cache=\"", "Connection: ", "ETag: \"", "A: ", "Age: ", "\n\nAccept: "],
        read: { bytes in
            let (response, request) = messages(bytes)
            guard case .cacheable(let cacheable) = RequestClass(of: request, CacheOptions()) else { return }
            _ = decision(on: cacheable, storedResponse(response, cacheable))
        },
        check: { bytes in
            let (response, request) = messages(bytes)
            guard case .cacheable(let cacheable) = RequestClass(of: request, CacheOptions()) else { return false }
            let stored = storedResponse(response, cacheable)
            for seconds in [0, 1e9, -1e9, .infinity, -.infinity, .nan] {
                let now = Date(timeIntervalSinceReferenceDate: seconds)
                let freshness = Freshness(of: stored, at: now, hasQuery: false, CacheOptions())
                try promise("no age and no lifetime is negative", freshness.age >= 0 && freshness.lifetime >= 0)
                try promise("every age has a text", CacheSeconds.whole(freshness.age) >= 0)
            }
            try check(decision(on: cacheable, stored), stored)
            let rules = CacheRules(options: CacheOptions())
            let decision = rules.storage(
                of: response,
                to: cacheable,
                ExchangeTimes(requestedAt: start, receivedAt: start)
            )
            guard case .store(let new) = decision else { return false }
            let directives = CacheControl(response.headers.values(of: "Cache-Control").joined(separator: ","))
            try promise("no-store is obeyed", !directives.contains("no-store"))
            try promise("no field of a connection is stored", !new.response.headers.contains("Connection"))
            try promise("a stored response is selected by its own request", new.isSelected(by: cacheable))
            return true
        },
        // Each field is compared with dozens of names.
        mostMilliseconds: 1500
    )

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func messages(_ bytes: [UInt8]) -> (Response, Input) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let end = lines.firstIndex { $0.isEmpty } ?? lines.endIndex
        let fields = { (lines: ArraySlice<ArraySlice<UInt8>>) in
            HTTPHeaders(
                lines.compactMap { line in
                    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
                    let (name, value) = (line[..<colon], line[(colon + 1)...])
                    return .init(
                        name: String(decoding: name, as: UTF8.self),
                        value: String(decoding: value, as: UTF8.self)
                    )
                }
            )
        }
        let url = URL(string: "https://example.com/a") ?? URL(filePath: "/")
        return (
            Response(statusCode: .ok, headers: fields(lines[..<end])),
            Input(url: url, headers: fields(lines[end...]))
        )
    }

    private static func storedResponse(_ response: Response, _ request: CacheableRequest) -> StoredResponse {
        StoredResponse(response, requestedAt: start, receivedAt: start).selected(by: request)
    }

    private static func decision(on request: CacheableRequest, _ stored: StoredResponse) -> CacheDecision {
        CacheRules(options: CacheOptions()).decision(on: request, [stored], at: start.addingTimeInterval(5))
    }

    private static func check(
        _ decision: CacheDecision,
        _ stored: StoredResponse
    ) throws {
        let names = stored.response.headers.cacheControl.directives.filter { $0.value == nil }.map(\.name)
        switch decision {
        case .fresh: try promise("no-cache is obeyed", !names.contains("no-cache"))
        case .stale:
            let isForbidden = names.contains("no-cache") || names.contains("must-revalidate")
            try promise("nothing stale is used against the server's will", !isForbidden)
        case .forward(let forwarding):
            guard let selected = forwarding.selected, selected.canBeValidated else { return }
            let fields = selected.conditional(Input(url: URL(filePath: "/"))).headers.fields
            try promise("a validation has a condition", !fields.isEmpty)
            try promise("each condition can be sent", fields.allSatisfy { HTTPToken.isFieldValue($0.value) })
        case .gatewayTimeout: return
        }
    }

    private static let cacheURL = text(
        "cache-url",
        words: ["https://", "http://", "h", ":443", ":80", "@", "[::1]", "%41", "%2f", "%", "/", "?", "#", ".."],
        starts: ["https://", "https://h/", "https://•@h/", "https://h:", "https://["],
        // Foundation takes longer than the target for a URL that is longer than any server accepts (RFC 9110 4.1).
        read: { text in if text.utf8.count <= 8000 { _ = URL(string: text).flatMap { NormalURL($0) } } },
        check: { text in
            guard text.utf8.count <= 8000, let normal = URL(string: text).flatMap({ NormalURL($0) }) else {
                return false
            }
            let again = URL(string: normal.text).flatMap { NormalURL($0) }
            try promise("a normal form stays", again == nil || again?.text == normal.text)
            try promise("a URL is inside of its origin", normal.text.hasPrefix(normal.origin + "/"))
            return true
        }
    )

    private static let cacheEntry = Target(
        name: "cache-entry",
        words: [
            "\0\0\0\0", "\u{1}\0\0\00", "\u{1}\0\0\01", "\u{3}\0\0\0200", "\u{2}\0\0\0-1",
            "\u{1}\0\0\01\u{1}\0\0\0A\u{1}\0\0\0b", "\u{7f}\u{7f}\u{7f}\u{7f}",
            "\u{c}\0\0\0Content-Type", "\u{3}\0\0\0nan",
        ],
        starts: [entryHead, entryHead + "\u{7}\0\0\09999999", entryHead + "\u{7f}\u{7f}\u{7f}\0"],
        read: { bytes in _ = bytes.withUnsafeBytes(Entry.decoded) },
        check: { bytes in
            guard let stored = bytes.withUnsafeBytes(Entry.decoded) else { return false }
            guard let written = Entry.encoded(stored) else { throw Broken(description: "a read entry can be written") }
            try promise("a written entry is read unchanged", written.withUnsafeBytes(Entry.decoded) == stored)
            let isCutRead = written.dropLast().withUnsafeBytes(Entry.decoded) != nil
            try promise("an entry that is cut is none", !isCutRead)
            return true
        }
    )

    /// The beginning of an entry: the format, two times and a status.
    private static let entryHead =
        "\u{13}\0\0\0StartSmallCaching 3\u{1}\0\0\00\u{1}\0\0\00\u{3}\0\0\0200"
}
