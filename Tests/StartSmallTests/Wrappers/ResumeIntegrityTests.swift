import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Synchronization
import Testing

/// The integrity of downloads: a file has all of the server's bytes of one version, or the download is an error.
struct ResumeIntegrityTests {
    private static let content = Data((0..<20).map { UInt8(ascii: "a") + $0 })

    /// Continues at once, up to three times without a new byte.
    private static let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 4 ? .zero : nil })

    /// A connector's answer to one attempt: a head, these bytes, and then the end of the response or of the connection.
    private struct Answer: Sendable {
        var head: Response
        var bytes: Data
        var breaks = false

        /// Whether a connector answers with a whole payload, though a stream is wanted.
        var isWhole = false

        /// Returns the whole file, with only this many bytes delivered.
        static func whole(_ count: Int = 20, tag: String = "\"v1\"", fields: HTTPHeaders = [:]) -> Answer {
            var head = Response(statusCode: .ok, headers: ["ETag": tag, "Content-Length": "20"])
            for field in fields.fields { head.headers[field.name] = field.value }
            return Answer(head: head, bytes: content.prefix(count), breaks: count < content.count)
        }

        static func part(_ range: String?, _ bytes: Data, _ fields: HTTPHeaders = ["ETag": "\"v1\""]) -> Answer {
            var head = Response(statusCode: .partialContent, headers: fields)
            head.headers["Content-Range"] = range
            return Answer(head: head, bytes: bytes)
        }

        var output: Output {
            if !isWhole { return .open(head, [bytes], then: breaks ? Fixture.lost : nil) }
            var response = head
            response.payload = bytes
            return .hasResponse(response)
        }
    }

    /// Returns a connector that gives the answers in order, repeats the last one, and records the requested ranges.
    private static func connector(_ answers: [Answer], _ asked: Recorder<String?>) -> Connector {
        Connector { input in
            asked.append(input.headers["Range"])
            return answers[min(asked.elements.count, answers.count) - 1].output
        }
    }

    /// Returns the content of a file that was `old`, and the requested ranges.
    private func download(
        _ answers: [Answer],
        headers: HTTPHeaders = [:],
        by wrappers: Wrapper...
    ) async throws -> (file: Data, error: ConnectionError?, asked: [String?]) {
        let asked = Recorder<String?>()
        let connector = Self.connector(answers, asked).wrapped(by: wrappers)
        let input = Input(url: Fixture.url, headers: headers)
        let download = try await Download(input, replacing: "old", via: connector)
        return (download.content ?? Data(), download.error, asked.elements)
    }

    @Test("a rest is accepted if it is the requested one, and completes the file", arguments: 1..<20)
    func rightRest(_ cut: Int) async throws {
        let rest = Self.content.dropFirst(cut)
        for range in ["bytes \(cut)-19/20", "bytes \(cut)-19/*"] {
            for isWhole in [false, true] {
                var part = Answer.part(range, rest)
                part.isWhole = isWhole
                let (file, error, asked) = try await download([.whole(cut), part], by: Self.resuming)
                #expect(file == Self.content && error == nil)
                #expect(asked == [nil, "bytes=\(cut)-"])
            }
        }
    }

    @Test(
        "a rest that can't be the right one is not accepted, and the whole file is requested",
        arguments: isExhaustive ? Array(2..<19) : [2, 11, 18]
    )
    func wrongRest(_ cut: Int) async throws {
        let rest = Self.content.dropFirst(cut)
        let answers: [Answer] = [
            .part("bytes \(cut)-19/21", rest), .part("bytes \(cut)-20/21", rest + Data("z".utf8)),
            .part("bytes \(cut)-20/*", rest + Data("z".utf8)), .part("bytes \(cut)-18/19", rest.dropLast()),
            .part("bytes \(cut + 1)-19/20", rest.dropFirst()), .part("bytes \(cut - 1)-19/20", rest), .part(nil, rest),
            .part("bytes \(cut)-19/20", rest, [:]), .part("bytes \(cut)-19/20", rest, ["ETag": "\"v2\""]),
            .part("bytes \(cut)-19/20", rest, ["ETag": "W/\"v1\""]), .part("bytes \(cut)-19/20", rest + Data("z".utf8)),
            .part("bytes \(cut)-19/20", rest, ["ETag": "\"v1\"", "Content-Encoding": "gzip"]),
            .part("bytes */20", rest), .part("items \(cut)-19/20", rest), .part("bytes \(cut)-18/*", rest),
        ]
        for answer in answers {
            let (file, error, asked) = try await download([.whole(cut), answer, .whole()], by: Self.resuming)
            #expect(file == Self.content && error == nil, "\(answer)")
            #expect(asked == [nil, "bytes=\(cut)-", nil], "\(answer)")
            let alone = try await download([.whole(cut), answer], by: Self.resuming)
            #expect(alone.error?.name == "malformedResponse" && alone.file == Data("old".utf8), "\(answer)")
        }
    }

    @Test("a part that ends early does not complete the file, even without a total", arguments: 1..<19)
    func starAndTooShort(_ cut: Int) async throws {
        for range in ["\(cut)-\(cut)/*", "\(cut)-\(cut)/20", "\(cut)-19/*", "\(cut)-19/20"] {
            let part = Answer.part("bytes \(range)", Self.content[cut...cut])
            let (file, error, _) = try await download([.whole(cut), part], by: Self.resuming)
            #expect(file == Data("old".utf8) && error != nil)
            let (whole, none, asked) = try await download([.whole(cut), part, .whole()], by: Self.resuming)
            #expect(whole == Self.content && none == nil)
            #expect(asked == [nil, "bytes=\(cut)-", "bytes=\(cut + 1)-"])
        }
    }

    @Test("if no response has a total, a rest without a total is not accepted")
    func unknownTotal() async throws {
        var first = Answer.whole(3)
        first.head.headers["Content-Length"] = nil
        let rest = Answer.part("bytes 3-19/*", Self.content.dropFirst(3))
        let (file, _, asked) = try await download([first, rest, .whole()], by: Self.resuming)
        #expect(file == Self.content && asked == [nil, "bytes=3-", nil])
    }

    @Test("an unrequested part replaces no file", arguments: [true, false])
    func unasked(_ resumes: Bool) async throws {
        for range in ["bytes 0-2/20", "bytes 0-19/20", nil] {
            let part = Answer.part(range, Self.content.prefix(range == "bytes 0-2/20" ? 3 : 20))
            let (file, error, _) = try await download([part], by: resumes ? Self.resuming : .retry(.never))
            #expect(file == Data("old".utf8) && error?.name == "malformedResponse")
        }
    }

    @Test("after 416 for a rest, an unrequested part replaces no file")
    func unaskedLater() async throws {
        let refusal = Answer(head: Response(statusCode: .rangeNotSatisfiable), bytes: Data())
        let part = Answer.part("bytes 3-19/20", Self.content.dropFirst(3))
        let (file, error, asked) = try await download([.whole(3), refusal, part], by: Self.resuming)
        #expect(file == Data("old".utf8) && error != nil)
        #expect(asked.prefix(3) == [nil, "bytes=3-", nil])
    }

    @Test(
        "a part that the request itself asked for is the file, if it has the requested range",
        arguments: [
            ("bytes=2-4", "bytes 2-4/20", true), ("bytes=2-", "bytes 2-4/5", true),
            ("bytes=-3", "bytes 17-19/20", true),
            ("bytes=2-9", "bytes 2-4/20", true), ("bytes=2-4", "bytes 3-5/20", false),
            ("bytes=2-3", "bytes 2-4/20", false),
            ("bytes=2-4", nil, false), ("bytes=-3", "bytes 2-4/20", false), ("bytes=2-4", "bytes 2-5/20", false),
            ("bytes=2-4", "bytes 2-3/20", false), ("bytes=0-0,2-2", nil, true),
        ] as [(String, String?, Bool)]
    )
    func ownRange(_ asked: String, _ range: String?, _ isTaken: Bool) async throws {
        let part = Answer.part(range, Data("cde".utf8))
        let (file, error, _) = try await download([part], headers: ["Range": asked])
        #expect(file == Data((isTaken ? "cde" : "old").utf8))
        #expect((error == nil) == isTaken)
        let adding = Wrapper { input, next in await next(input.with { $0.headers["Range"] = asked }) }
        #expect(try await download([part], by: adding).file == file)
    }

    @Test("a rest of another URL is not accepted, as after a redirect to another copy", arguments: [true, false])
    func otherURL(_ isSame: Bool) async throws {
        let requests = Recorder<URL>()
        let connector = Connector { input in
            requests.append(input.url)
            if input.url == Fixture.url {
                let copy = isSame || requests.elements.count < 3 ? "1" : "2"
                return .hasResponse(
                    Response(statusCode: .found, headers: ["Location": "/copy\(copy)#\(requests.elements.count)"])
                )
            }
            if input.headers.contains("Range") {
                return Answer.part("bytes 3-19/20", Self.content.dropFirst(3)).output
            }
            return Answer.whole(requests.elements.count < 3 ? 3 : 20).output
        }
        let redirecting = connector.wrapped(by: Self.resuming, .redirect())
        #expect(try await Download(replacing: "old", via: redirecting).content == Self.content)
        #expect(requests.elements.count == (isSame ? 4 : 6))
    }

    @Test("a Last-Modified date is used as a validator if it is strong", arguments: [60, 59])
    func lastModified(_ seconds: Int) async throws {
        let (date, modified) = (Date(timeIntervalSince1970: 1_700_000_000), "Tue, 14 Nov 2023 22:13:20 GMT")
        let sent = HTTPDate.text(date.addingTimeInterval(Double(seconds)))
        var first = Answer.whole(3, fields: ["Last-Modified": modified, "Date": sent])
        first.head.headers["ETag"] = nil
        let isStrong = seconds >= 60
        let rest = Answer.part("bytes 3-19/20", Self.content.dropFirst(3), ["Last-Modified": modified])
        let (file, _, asked) = try await download([first, isStrong ? rest : .whole()], by: Self.resuming)
        #expect(file == Self.content && asked == [nil, isStrong ? "bytes=3-" : nil])
        if !isStrong { return }
        let other = Answer.part("bytes 3-19/20", Self.content.dropFirst(3), ["Last-Modified": sent])
        #expect(try await download([first, other, .whole()], by: Self.resuming).asked.count == 3)
    }
}
