import Foundation
import StartSmallMetrics
import TestSupport
import Testing

@testable import StartSmall
@testable import StartSmallAuth
@testable import StartSmallCore
@testable import StartSmallDiagnostics
@testable import StartSmallDownloads
@testable import StartSmallForms
@testable import StartSmallJSON
@testable import StartSmallStreams
@testable import StartSmallSupport

/// A reader, a comparison or a redaction of text: see `ReaderCost`, which reads up to a megabyte in `make exhaustive`.
///
/// Otherwise, it reads a few kilobytes of each word.
struct TextReader: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let words: [String]
    private let frames: [String]
    private let read: @Sendable (String) -> Void

    fileprivate init(
        _ name: String,
        words: [String] = [],
        frames: [String] = [""],
        _ read: @escaping @Sendable (String) -> Void
    ) {
        (testDescription, self.words, self.frames, self.read) = (name, words, frames, read)
    }

    func expectLinear() {
        guard !isExhaustive else {
            return ReaderCost(testDescription, words: words, frames: frames, read).expectLinear()
        }
        for frame in frames {
            for word in words + [Hostile.accents, "a", "\"", "\\", "%41", ",", "9"] {
                Hostile.expectLinear(word) { many in
                    read(frame.contains("•") ? frame.replacing("•", with: many) : frame + many)
                }
            }
        }
    }
}

/// The time of all readers, comparisons and redactions of text that a server can send.
struct ReaderCostTests {
    @Test("a header field is read in linear time", arguments: fields)
    func field(_ reader: TextReader) { reader.expectLinear() }

    @Test("a text is hidden or escaped in linear time", arguments: redactions)
    func redaction(_ reader: TextReader) { reader.expectLinear() }

    @Test("a payload is read in linear time", arguments: payloads)
    func payload(_ reader: TextReader) { reader.expectLinear() }

    @Test("a text, a name or a URL is read in linear time", arguments: texts)
    func text(_ reader: TextReader) { reader.expectLinear() }

    private static func headers(_ name: String, _ value: String) -> HTTPHeaders {
        HTTPHeaders([.init(name: name, value: value)])
    }

    /// Returns a response; each call makes new strings, so that a comparison can't end at equal addresses.
    private static func response(_ name: String, _ value: String, _ status: HTTPStatus = .ok) -> Response {
        Response(statusCode: status, headers: headers(name, String(decoding: Array(value.utf8), as: UTF8.self)))
    }

    private static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let url = URL(string: "https://h.test/a/b?c=d") ?? URL(filePath: "/")

    // MARK: - Fields

    private static let fields: [TextReader] = [
        TextReader("HTTPHeaders", frames: ["", "a"]) { text in
            let fields = (response("X-Any", text), response("X-Any", text))
            _ = (fields.0 == fields.1, fields.0.hashValue, fields.0.headers[text], fields.0.headers.contains(text))
            _ = headers(text, "a") == headers(text + "", "a")
        },
        TextReader(
            "Cache-Control",
            words: [
                "no-cache", "no-cache,", "a,", "a=\"", "a=\"b\",", "a=\"\\\"", "max-age=", "max-age=1;",
                "no-cache=\"a\",",
            ],
            frames: ["", "no-cache=\"", "no-cache=\"•\"", "max-age="]
        ) { text in
            let (one, other) = (response("Cache-Control", text), response("Cache-Control", text))
            _ = (one.cacheControl == other.cacheControl, one.cacheControl.maxAge, one.cacheControl.maxStale)
            _ = (one.cacheControl.fields(of: "no-cache"), "\(one.cacheControl)")
            _ = (one.cacheControl.contains(text), one.cacheControl[text])
        },
        TextReader(
            "Content-Digest",
            words: ["sha-256=:", "sha-256=:AAAA:,", ":", "a;", "a=\"\\"],
            frames: ["", "sha-256=:", "sha-256=:•:", "a=:AAAA:;b=\"•\""]
        ) { _ = ContentDigest.sha256([$0, $0]) },
        TextReader("Deprecation", words: ["@", "@1", "?1", "true"], frames: ["", "@", "@-"]) { text in
            for name in ["Deprecation", "Sunset"] { _ = DeprecationNotice(response(name, text), endpoint: "") }
        },
        TextReader(
            "Content-Disposition",
            words: ["filename=", "filename=a;", "filename*=", "filename=\"", "UTF-8''", "../", "."],
            frames: ["", "a;", "a; filename=", "a; filename=\"•\"", "a; filename*=UTF-8''"]
        ) { text in
            let (one, other) = (response("Content-Disposition", text), response("Content-Disposition", text))
            _ = (one.contentDisposition == other.contentDisposition, one.contentDisposition?.safeFileName)
            _ = (one.contentDisposition?.hashValue, one.contentDisposition?[text])
        },
        TextReader("ETag", words: ["W/", "\"a\"", "\"a\",", "W/\""], frames: ["", "\"", "\"•\"", "W/\"•\""]) { text in
            let (one, other) = (response("ETag", text, .partialContent), response("ETag", text, .partialContent))
            _ = (one.etag == other.etag, one.etag?.hashValue, one.rangeValidator)
            _ = (
                one.continues(ReceivedPart(offset: 0, validator: text)), ETag(opaque: text) == ETag(opaque: text + "b")
            )
        },
        TextReader("dates and ranges", words: ["Sun, ", "bytes ", "bytes 0-1/", "0-", "0-1,"], frames: ["", "bytes "]) {
            text in
            for name in ["Last-Modified", "Content-Range", "Content-Length", "Accept-Ranges", "Retry-After", "Date"] {
                let response = response(name, text, .partialContent)
                _ = (response.contentRange, response.wholeCount, response.rangeValidator, response.lastModified)
                _ = (RetryAfter.delay(of: response, now: now), response.isPart(of: text))
            }
            _ = HTTPDate.date(text, now: now)
        },
        TextReader(
            "Content-Type",
            words: ["text/html", "a/b;", "a/b,", "a=b;", "charset=", "a=\"b\";"],
            frames: ["", "a/b;", "a/b; charset=", "a/b; charset=\"•\"", "a/b;a=\""]
        ) { text in
            let (one, other) = (response("Content-Type", text), response("Content-Type", text))
            let unread = MediaType(rawValue: text)
            _ = Redaction.standard.shown(payload: Data("{}".utf8), mediaType: unread, limit: 2)
            guard let type = one.headers.contentType, let same = other.contentType else { return }
            _ = (type == same, type.hashValue, type.contains(same), type.charset)
            _ = (type.isJSON, type.beginning, type.parameters, one.rejectionReason(expecting: [.json, type]))
            _ = (type.setting("a", to: text), type.parameter(text), MediaType.json.contains(same))
            _ = MediaType.Parameter("a", text) == MediaType.Parameter("a", "b")
        },
        TextReader(
            "Link",
            words: [
                "<", "<>", "<>,", "<a>;rel=\"", "<a>;rel=next,", "<>;a=\"\\", "<>;a*=UTF-8''%41", "rel=next ", ";",
                "a;",
            ],
            frames: ["", "<", "<>;", "<>;rel=\"•\"", "<>;anchor=\"•\";rel=next", "<>;title*=UTF-8''"]
        ) { text in
            let (one, other) = (response("Link", text), response("Link", text))
            _ = (one.links == other.links, one.links.hashValue, one.links.first(of: "next"))
            _ = (one.links.first?.relations, one.links.first?.title, one.links.last?["hreflang"], "\(one.links)")
            _ = one.links.first?.isOf(text)
        },
        TextReader(
            "rate limits",
            words: ["1m", "1.", "1ms"],
            frames: ["", "1", "1m"]
        ) { text in
            for name in [
                "RateLimit-Remaining", "X-RateLimit-Reset", "X-RateLimit-Limit", "RateLimit", "X-RateLimit-\(text)",
            ] {
                var response = response(name, text, .tooManyRequests)
                response.headers.append("X-RateLimit-Remaining", "1")
                _ = response.rateLimits(now: now)
            }
            let hinted = response("X-Should-Retry", text, .tooManyRequests)
            _ = RetryPolicy.standard.retries(Input(url: url), after: .hasResponse(hinted))
            _ = DelayField.milliseconds("X-Should-Retry").delay(of: hinted)
        },
        TextReader("traceparent", words: ["00-", "a=b,", "a=b", "\t"], frames: ["", "a=", "00-"]) { text in
            let parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
            _ = TraceContext(traceparent: text)
            let contexts = (0..<2).map { _ in TraceContext(traceparent: parent, tracestate: "a=" + text) }
            _ = contexts[0] == contexts[1]
        },
    ]

    // MARK: - Redactions

    /// The pieces of secrets in texts, and endings after which a long text is no secret.
    private static let secretWords = [
        "bearer+", "Bearer ", "bearer%20", "eyJ", "eyJaaaaaaaaaaa.", "sk-", "token=", "token:\"", "token=\"", "code=a;",
        "<token>", "<a", "//", "//a:b@", "?a=", "&a=%2F", "'", "{\"token\":", "\"code\":", "\"a\":\"{", "\\\"", "[",
        "token= ", "token=,", "a=b=c=", "a=%7B%22", "%25", "<![CDATA[", "\u{5B0}\u{5B7}\u{5B1}", "sk-a.", "ghp_",
        "AKIA", "npm_", "xoxb-", "github_pat_", "\\/",
    ]
    private static let secretFrames = ["", "•=\"", "•=x", "a=\"•"]

    private static let standard = Redaction.standard

    /// Redactions of texts and messages.
    private static let redactions: [TextReader] = [
        TextReader("a text", words: secretWords, frames: secretFrames) { _ = standard.shown(text: $0) },
        TextReader(
            "a URL",
            words: secretWords,
            frames: ["", "https://h/?•=\"", "https://u:", "https://h/•&token=a&a@"]
        ) {
            _ = standard.shown(url: $0)
        },
        TextReader("a form", words: secretWords + ["&token=", "&", "+"], frames: ["", "token="]) {
            _ = standard.shown(payload: Data($0.utf8), mediaType: .form, limit: .max)
        },
        TextReader(
            "JSON",
            words: secretWords + ["{", "]", ",1"],
            frames: ["", "{\"token\":•", "{\"key\":[", "{\"code\":\"•\"}"]
        ) {
            _ = standard.hiding(json: $0, folding: true)
        },
        TextReader("a name", words: ["token", "to-", "[code]"]) {
            _ = (standard.hides($0), standard.shown(name: $0), standard.sensitivity(of: $0))
        },
        TextReader("a field", words: secretWords, frames: secretFrames) {
            _ = "\(HTTPHeaders([.init(name: "X-Any", value: $0), .init(name: "Authorization", value: $0)]))"
            _ = "\(response("X-Any", $0)) \(MediaType.Parameter("a", $0))"
        },
        TextReader("an error", words: secretWords, frames: [""]) {
            let cause = ConnectionError.Cause(domain: "a", code: 1, text: $0)
            _ = "\(ConnectionError.other(cause)) \(Redaction.withoutURLs($0))"
            _ = "\(TransformError<Never>.malformedData(Response(statusCode: .ok), debugInfo: $0))"
        },
        TextReader("one line", words: ["\u{200B}", "\n", "é"]) { _ = $0.onOneLine },
        TextReader("a curl command", words: ["'", "\n", "a: b\n"] + secretWords.prefix(4), frames: ["", "•=\""]) {
            text in
            let payload = Payload(.data(Data(text.utf8)), mediaType: .json)
            let methodAndPayload = HTTPMethodAndPayload.post(payload: payload)
            _ = Input(url: url, headers: headers("X-Any", text), methodAndPayload: methodAndPayload).curlCommand()
            _ = Input(url: url, queries: [URLQueryItem(name: "a", value: text)]).curlCommand()
        },
    ]

    // MARK: - Payloads

    private static let mediaTypes: [MediaType?] = [
        nil, .json, .form, .text, "text/xml",
    ]

    private static let part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"

    private static let payloads: [TextReader] = typedPayloads + otherPayloads

    private static let typedPayloads: [TextReader] =
        mediaTypes.map { type in
            TextReader(
                "a payload of \(type?.rawValue ?? "no type")",
                words: ["--b", part, "\r\n", "\r\n ", "a: b\r\n", "{\"token\":", "token=", "\n", "<token>"],
                frames: ["", "--b\r\n", "{", part]
            ) { text in
                let data = Data(text.utf8)
                _ = standard.shown(payload: data, mediaType: type, limit: data.count - 1)
                _ = standard.hiding(payload: data, mediaType: type)
            }
        }

    private static let otherPayloads: [TextReader] = [
        TextReader(
            "JSON values",
            words: ["{\"a\":", "[", "[],", "\"a\",", "\\u0301\\u0316", "1", "1,", "\"a\":1,", "e9", "\\ud83d"],
            frames: [
                "", "[", "{", "{\"a\":1,•\"b\":2}", "{\"title\":\"•\"}", "[\"•\"]", "{\"•\":1}", "[1•]", "[0.•1]",
            ]
        ) { text in
            let data = Data(text.utf8)
            let values = (0..<2).map { _ in try? JSONValue(json: data) }
            _ = (values[0] == values[1], values[0].hashValue, values[0].map { "\($0)" })
            let problems = (0..<2).map { _ in try? ProblemDetails(json: data) }
            _ = (problems[0] == problems[1], problems[0].hashValue, problems[0].map { "\($0)" })
            _ = try? ProblemDetails(json: data, isProblem: true)
        },
        TextReader(
            "JSON of a type",
            words: ["{\"a\":", "[", "\"a\",", "\\u0301\\u0316", "1", "\"a\":1,", "\"é\":1,"],
            frames: ["", "[", "{\"kind\":\"•\"}", "{\"•\":1}", "{\"kind\":1•}", "{\"kind\":0.•1}"]
        ) { text in
            let data = Data(text.utf8)
            for decode in [
                { _ = try JSONDecoder.fast.decode(Thing.self, from: data) },
                { _ = try JSONDecoder().value(Thing.self, from: data) },
                { _ = try JSONDecoder().value([String: JSONValue].self, from: data) },
                { _ = try JSONDecoder().value([String: Int].self, from: data) },
            ] as [() throws -> Void] {
                do { try decode() } catch { _ = DecodingError.text(of: error, in: data) }
            }
        },
        TextReader("an error of OAuth", words: ["invalid_grant"], frames: ["{\"error\":\"•\"}", ""]) { text in
            let response = Response(statusCode: .badRequest, payload: Data(text.utf8))
            _ = OAuthError.text(of: response, hiding: ["a"])
        },
        TextReader("a redirect of OAuth", words: ["&", "a=b&", "code=a", "+"], frames: ["", "state=a&•"]) { text in
            let redirect = URL(string: "https://client.example.com/cb")
            let encoded = URIEncoding.encodingIllegalCharacters(in: "https://client.example.com/cb?\(text)")
            guard let redirect, let url = URL(string: encoded) else { return }
            _ = AuthorizationRequest(OAuthClient("a"), redirect: redirect).code(in: url)
        },
        TextReader("lines", words: ["\n", "\r\n", "a\n"]) { text in
            var splitter = LineSplitter()
            for chunk in Data(text.utf8).chunks { _ = splitter.lines(in: chunk) }
            _ = splitter.last()
        },
        TextReader("events", words: ["data: a\n", "data:\n\n", "id: a\n", ":", "\r"], frames: ["", "id:"]) { text in
            let events = (0..<2).map { _ in
                var parser = EventStreamParser()
                let events = Data(text.utf8).chunks.flatMap { parser.events(in: $0) }
                return events + parser.events(in: Data("\n\n".utf8))
            }
            _ = (events[0].map(\.right) == events[1].map(\.right), events[0].last.map { "\($0)" })
        },
        TextReader("text of a response", words: ["é"], frames: [""]) { text in
            for charset in ["utf-8", "iso-8859-1", "shift_jis", "euc-jp", "utf-16"] {
                let type: HTTPHeaders = ["Content-Type": "text/plain; charset=\(charset)"]
                _ = Response(statusCode: .ok, headers: type, payload: Data(text.utf8)).text()
                _ = Either.text(text, encoding: Charset.encoding(charset) ?? .utf8)
            }
        },
    ]

    private struct Thing: Decodable {
        enum Kind: String, Decodable { case a, b }

        let kind: Kind
    }

    // MARK: - Texts and URLs

    private static let texts: [TextReader] = [
        TextReader("FilenameSanitizer", words: ["/", ".", "..", "a.", "\u{0}", "NUL."], frames: ["", "a."]) {
            _ = FilenameSanitizer.from($0)
        },
        TextReader("Charset", words: ["utf-8"]) { _ = Charset.encoding($0) },
        TextReader("ExtendedValue", words: ["'", "%41"], frames: ["", "UTF-8''", "iso-8859-1''"]) {
            _ = ExtendedValue.decoded($0)
        },
        TextReader("URIEncoding", words: ["%41", "/..", "[", "#", "//", "."], frames: ["", "https://h/", "//"]) {
            text in
            _ = (URIEncoding.decoded(text), URIEncoding.encoded(text), URIEncoding.encodingBrackets(in: text))
            _ = (URIEncoding.encodingIllegalCharacters(in: text), URIEncoding.hasDotSegments(Array(text.utf8)[...]))
            _ = (URIEncoding.isQuery(text), URIEncoding.withoutFragment(text), HTTPToken.tokenOrQuoted(text))
            _ = HTTPToken.deltaSeconds(text, atMost: 9)
        },
        TextReader("Location", words: ["../", "a.", "%41", "/", ":", "#", "?", "@"], frames: ["", "//", "https://"]) {
            text in
            let policy = RedirectPolicy(allowedHosts: ["*.h.test"])
            _ = policy.next(after: response("Location", text, .found), to: Input(url: url))
            _ = (WebLink(to: text).target(from: url), url.resolving("http:" + text), url.resolving("https:" + text))
        },
        TextReader(
            "URITemplate",
            words: ["{", "}", "%", "{a", "{a}", "{a,", "{a.", "a:", "{a:1", "{+a}", "é", "/../", "{/a*}"],
            frames: ["", "{a:•}", "{•}"]
        ) { text in
            _ = try? URITemplate(text).expand(["a": "b"])
            _ = try? URITemplate(text).url(["a": "b"])
            _ = try? URITemplate("https://h/{+a}{+a:9999}{a}").url(["a": text])
        },
        TextReader("NetworkAddress", words: [":", "1.", "::", "[", "ffff:"]) { _ = NetworkAddress($0) },
        TextReader("CombiningMarks", words: ["\\u0301"]) {
            _ = (CombiningMarks.hasLongRun($0), CombiningMarks.hasLongRun(json: $0))
        },
        TextReader("comparisons") { text in
            let other = String(decoding: Array(text.utf8), as: UTF8.self)
            _ = (text.isSame(as: other), text.isSame(withoutCase: other), text.isBefore(other))
            _ = Set([ByteEqualString(text), ByteEqualString(other)]).count
        },
    ]
}

extension Data {
    /// The bytes in pieces, as they come from a connection.
    fileprivate var chunks: [Data] {
        stride(from: 0, to: count, by: 16 * 1024).map { self[$0..<Swift.min($0 + 16 * 1024, count)] }
    }
}
