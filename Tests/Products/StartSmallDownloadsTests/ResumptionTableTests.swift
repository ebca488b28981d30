import Foundation
import StartSmall
import StartSmallDownloads
import StartSmallTesting
import TestSupport
import Testing

/// All answers to a request for the rest: a file or a stream never has other bytes than those of one version.
struct ResumptionTableTests {
    private static let content = Data((0..<20).map { UInt8(ascii: "a") + $0 })

    /// Another version of the same length.
    private static let other = Data((0..<20).map { UInt8(ascii: "A") + $0 })
    private static let cut = 8
    private static let modified = "Tue, 14 Nov 2023 22:13:20 GMT"

    /// The validator of an answer, beside that of the first response; a crossed one is of the other kind.
    private enum Validator: CaseIterable, Sendable { case same, other, crossed, weak, none }
    private enum Payload: CaseIterable, Sendable { case whole, rest, changed }

    /// An answer to `Range: bytes=8-`.
    private struct Answer: Sendable {
        var status: HTTPStatus
        var validator: Validator
        var length: Int?
        var range: String?
        var payload: Payload

        var bytes: Data {
            switch payload {
            case .whole: validator == .other ? ResumptionTableTests.other : content
            case .rest: content.dropFirst(cut)
            case .changed: ResumptionTableTests.other
            }
        }

        func output(byTag: Bool) -> Output {
            var head = Response(statusCode: status, headers: fields(byTag))
            head.headers["Content-Length"] = length.map(String.init)
            head.headers["Content-Range"] = range
            return status.isSuccess ? .open(head, status == .noContent ? [] : [bytes]) : .hasResponse(head)
        }

        private func fields(_ byTag: Bool) -> HTTPHeaders {
            switch (validator, byTag) {
            case (.same, true), (.crossed, false): ["ETag": "\"v1\""]
            case (.other, true): ["ETag": "\"v2\""]
            case (.weak, true): ["ETag": "W/\"v1\""]
            case (.same, false), (.crossed, true):
                ["Last-Modified": modified, "Date": "Tue, 14 Nov 2023 23:13:20 GMT"]
            case (.other, false):
                ["Last-Modified": "Tue, 14 Nov 2023 22:20:00 GMT", "Date": "Tue, 14 Nov 2023 23:13:20 GMT"]
            case (.weak, false): ["Last-Modified": modified]
            case (.none, _): [:]
            }
        }

        /// Whether the answer is the rest, by a 206.
        var isRest: Bool {
            status == .partialContent && [.same, .weak].contains(validator) && range != nil && payload == .rest
        }

        /// Whether the answer is the whole of a version, which a 200 shows.
        var isWhole: Bool {
            guard status == .ok, range == nil, payload != .rest else { return false }
            if validator == .same { return payload == .whole && (length == 20 || length == nil) }
            return validator == .other && length != 12
        }

        /// Whether nothing shows that a 200 with another validator is the rest alone.
        func isUndetectable(knowingLength: Bool) -> Bool {
            guard status == .ok, validator == .other, range == nil else { return false }
            return payload == .rest && length != 20 && !(knowingLength && length == 12)
                || !knowingLength && length == 12
        }
    }

    private static let answers: [Answer] = {
        let statuses: [HTTPStatus] = [
            .ok, .created, .nonAuthoritativeInformation, .noContent, .partialContent, .rangeNotSatisfiable,
        ]
        return statuses.flatMap { status in
            Validator.allCases.flatMap { validator in
                [20, 12, nil].flatMap { length in
                    [nil, "bytes 8-19/20"].flatMap { range in
                        Payload.allCases.map {
                            Answer(status: status, validator: validator, length: length, range: range, payload: $0)
                        }
                    }
                }
            }
        }
    }()

    /// Returns a connector that breaks off, gives an answer to the request for the rest, and then the whole.
    private func connector(
        _ answer: Answer,
        byTag: Bool,
        knowingLength: Bool,
        _ asked: Recorder<String?>
    ) -> Connector {
        let first = Answer(status: .ok, validator: .same, length: knowingLength ? 20 : nil, payload: .whole)
        return Connector { input in
            asked.append(input.headers["Range"])
            if asked.elements.count == 2 { return answer.output(byTag: byTag) }
            guard asked.elements.count == 1, let head = first.output(byTag: byTag).discard().response else {
                return first.output(byTag: byTag)
            }
            return .open(head, [Self.content.prefix(Self.cut)], then: Fixture.lost)
        }
        .wrapped(by: .resumeDownloads(Backoff { $0.number < 4 ? .zero : nil }))
    }

    @Test("a file has the bytes of one version, whatever answers its Range", arguments: [true, false], [true, false])
    func files(byTag: Bool, knowingLength: Bool) async throws {
        for answer in Self.answers where !answer.isUndetectable(knowingLength: knowingLength) {
            // A date in a 206 is the one of the version, weak or not.
            if answer.validator == .weak, byTag, answer.isRest { continue }
            let asked = Recorder<String?>()
            let app = connector(answer, byTag: byTag, knowingLength: knowingLength, asked)
            let download = try await Download(replacing: "old", via: app)
            let isWhole = answer.isWhole
            let isOther = isWhole && answer.validator == .other
            #expect(download.content == (isOther ? Self.other : Self.content), "\(answer)")
            #expect(download.error == nil && download.isAlone, "\(answer)")
            #expect(asked.elements.prefix(2) == [nil, "bytes=8-"], "\(answer)")
            // The whole is requested once, without `Range`, unless a response of another version ends too early.
            let isShort =
                answer.status == .ok && answer.validator == .other && answer.length == 20
                && answer.payload == .rest && answer.range == nil
            let expected = isWhole || answer.isRest ? [] : [isShort ? "bytes=12-" : nil]
            #expect(Array(asked.elements.dropFirst(2)) == expected, "\(answer)")
        }
    }

    @Test("a stream goes on with a 206 only, and otherwise fails after its bytes so far", arguments: [true, false])
    func streams(byTag: Bool) async {
        for answer in Self.answers {
            if answer.validator == .weak, answer.isRest { continue }
            let app = connector(answer, byTag: byTag, knowingLength: true, Recorder<String?>())
            let read = await ReadOutput(await WebAPI.call(with: Fixture.input.with { $0.delivery = .stream }, via: app))
            #expect(read.text == (answer.isRest ? "abcdefghijklmnopqrst" : "abcdefgh"), "\(answer)")
            #expect((read.error == nil) == answer.isRest && read.error?.response?.body == nil, "\(answer)")
        }
    }

    @Test("a 200 that breaks off while it is compared is continued where the bytes ended", arguments: [3, 8, 15])
    func brokenWhileCompared(_ count: Int) async throws {
        let asked = Recorder<String?>()
        let head = Response(statusCode: .ok, headers: ["ETag": "\"v1\""])
        let app = Connector { input in
            asked.append(input.headers["Range"])
            let counts = [Self.cut, count, 20]
            let index = min(asked.elements.count, 3) - 1
            return .open(head, Self.content.prefix(counts[index]).map { [$0] }, then: index < 2 ? Fixture.lost : nil)
        }
        .wrapped(by: .resumeDownloads(Backoff { $0.number < 4 ? .zero : nil }))
        #expect(try await Download(via: app).content == Self.content)
        #expect(asked.elements == [nil, "bytes=8-", "bytes=\(max(8, count))-"])
    }

    /// A 200 of the version so far, of which not all bytes are compared, and the request after it.
    private struct Compared: Sendable {
        /// The bytes of the first response, whose length is not known, and then those of the 200.
        var arrived: Int
        var compared: Int
        var length: Int?
        var breaks = false
        var next: String?
    }

    @Test(
        "a 200 that ends before all bytes so far are compared proves nothing, even if its length is theirs",
        arguments: [
            Compared(arrived: 8, compared: 5, next: nil),
            Compared(arrived: 8, compared: 5, length: 5, next: nil),
            Compared(arrived: 8, compared: 5, length: 20, next: nil),
            Compared(arrived: 8, compared: 15, length: 20, next: nil),
            Compared(arrived: 20, compared: 10, length: 20, next: nil),
            Compared(arrived: 8, compared: 5, breaks: true, next: "bytes=8-"),
            Compared(arrived: 8, compared: 5, length: 20, breaks: true, next: "bytes=8-"),
            Compared(arrived: 20, compared: 10, length: 20, breaks: true, next: "bytes=20-"),
        ]
    )
    private func cutWhileCompared(_ row: Compared) async throws {
        let asked = Recorder<String?>()
        let app = Connector { input in
            asked.append(input.headers["Range"])
            var head = Response(statusCode: .ok, headers: ["ETag": "\"v1\""])
            if asked.elements.count == 1 { return .open(head, [Self.content.prefix(row.arrived)], then: Fixture.lost) }
            let isCut = asked.elements.count == 2
            head.headers["Content-Length"] = isCut ? row.length.map(String.init) : "20"
            let bytes = Self.content.prefix(isCut ? row.compared : 20)
            return .open(head, [bytes], then: isCut && row.breaks ? Fixture.lost : nil)
        }
        .wrapped(by: .resumeDownloads(Backoff { $0.number < 4 ? .zero : nil }))
        #expect(try await Download(via: app).content == Self.content)
        #expect(asked.elements == [nil, "bytes=\(row.arrived)-", row.next])
    }

    @Test("bytes of a 200 that is none of the version do not count: neither as arrived, nor for the attempts")
    func refutedBytes() async throws {
        let (asked, log) = (Recorder<String?>(), EventLog())
        let head = Response(statusCode: .ok, headers: ["ETag": "\"v1\""])
        let app = Connector { input in
            asked.append(input.headers["Range"])
            switch asked.elements.count {
            case 1: return .open(head, [Self.content.prefix(Self.cut)], then: Fixture.lost)
            case 2: return .open(head, [Self.other])
            default: return .noResponse(Fixture.lost)
            }
        }
        .wrapped(by: .listen(to: log.listener), .resumeDownloads(Backoff { $0.number < 4 ? .zero : nil }))
        let download = try await Download(via: app)
        #expect(download.error?.response?.content == .delivered(bytes: Self.cut) && download.content == nil)
        #expect(asked.elements == [nil, "bytes=8-", nil, nil, nil])
        #expect(log.events.compactMap { $0.reported(Resuming.self)?.size } == [8, 8, 8])
    }

    /// A redirect to a signed URL, and whether a download that breaks off there goes on at the next one.
    private struct Signed: Sendable {
        var locations: [String]
        var byTag = true
        var hasLength = true
        var total = "20"
        var isResumed: Bool
    }

    @Test(
        "behind a redirect, only the query may differ, for a strong tag and a known length",
        arguments: [
            Signed(locations: ["/f?sig=1", "/f?sig=2"], isResumed: true),
            Signed(locations: ["/f?sig=1", "/f"], isResumed: true),
            Signed(locations: ["/f?sig=1", "/g?sig=1"], isResumed: false),
            Signed(locations: ["/f?sig=1", "/f/?sig=1"], isResumed: false),
            Signed(locations: ["/f?sig=1", "https://example.org/f?sig=1"], isResumed: false),
            Signed(locations: ["/f?sig=1", "/f?sig=2"], byTag: false, isResumed: false),
            Signed(locations: ["/f?sig=1", "/f?sig=1"], byTag: false, isResumed: true),
            Signed(locations: ["/f?sig=1", "/f?sig=2"], hasLength: false, isResumed: false),
            Signed(locations: ["/f?sig=1", "/f?sig=2"], total: "*", isResumed: false),
            Signed(locations: ["/f?sig=1", "/f?sig=1"], hasLength: false, isResumed: true),
        ],
        [false, true]
    )
    private func signed(_ row: Signed, is200: Bool) async throws {
        if is200, row.total == "*" { return }
        let asked = Recorder<String?>()
        let app = Connector { input in
            if input.url == Fixture.url {
                let location = row.locations[min(asked.elements.count, row.locations.count - 1)]
                return .status(.found, headers: ["Location": location])
            }
            asked.append(input.headers["Range"])
            let isFirst = asked.elements.count == 1
            let isRest = input.headers.contains("Range") && !is200
            let answer = Answer(
                status: isRest ? .partialContent : .ok,
                validator: .same,
                length: row.hasLength && !isRest ? 20 : nil,
                range: isRest ? "bytes 8-19/\(row.total)" : nil,
                payload: isRest ? .rest : .whole
            )
            guard isFirst, let head = answer.output(byTag: row.byTag).discard().response else {
                return answer.output(byTag: row.byTag)
            }
            return .open(head, [Self.content.prefix(Self.cut)], then: Fixture.lost)
        }
        let resuming = Wrapper.resumeDownloads(Backoff { $0.number < 4 ? .zero : nil })
        let download = try await Download(via: app.wrapped(by: resuming, .redirect()))
        #expect(download.content == Self.content)
        #expect(asked.elements == (row.isResumed ? [nil, "bytes=8-"] : [nil, "bytes=8-", nil]))
    }
}
