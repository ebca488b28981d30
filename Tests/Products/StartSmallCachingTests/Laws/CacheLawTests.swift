import Foundation
import StartSmall
import StartSmallTesting
import Synchronization
import TestSupport
import Testing

@testable import StartSmallCaching

struct CacheLawTests {
    // The laws of all wrappers.

    @Test("a cache obeys the laws of wrappers, apart from the field that it adds")
    func wrapperLaws() async {
        let inputs: [Input] = [
            .get(), .head(), .post(), .get(["Cache-Control": "no-store"]), .get(["Range": "bytes=0-1"]),
            .get(["If-Match": "*"]), .get(["If-None-Match": "\"a\""]), .get(["Authorization": "a"]),
        ]
        for input in inputs {
            let laws = WrapperLaws(of: input) {
                let cache = Wrapper.cache(in: TestStore().store)
                return Wrapper(wrapping: { $0.wrapped(by: Self.withoutStatus, cache) })
            }
            let violations = await laws.violations()
            #expect(violations == [], "\(input): \(violations)")
        }
    }

    private static let withoutStatus = Wrapper { input, next in
        let output = await next(input)
        guard case .hasResponse(var response) = output else { return output }
        response.headers["Cache-Status"] = nil
        return .hasResponse(response)
    }

    @Test("a cache with a fresh response obeys the laws of wrappers that send nothing")
    func lawsOfHits() async throws {
        let stored = StoredResponse.at(["Cache-Control": "max-age=60"])
        let key = try Input.get().cacheable.key
        let laws = WrapperLaws(unchanged: [], atMostCalls: 0, of: .get()) {
            let store = TestStore()
            store.insert(stored, key)
            return .cache(in: store.store, now: { .start })
        }
        #expect(await laws.violations() == [])
    }

    // A cache returns the same values as no cache, where they do not change within their lifetime.

    /// A server whose content changes every ten seconds, and by POST, and which states the lifetime exactly.
    private final class ModelServer: Sendable {
        let time: TestTime
        private let changes = Mutex<[String: Int]>([:])
        private let count = Mutex(0)

        init(_ time: TestTime) { self.time = time }

        var requests: Int { count.withLock { $0 } }

        /// Returns the answer, and counts the request.
        func answer(_ input: Input) -> Output {
            count.withLock { $0 += 1 }
            let path = input.url.path()
            if input.methodAndPayload.method == "POST" {
                changes.withLock { $0[path, default: 0] += 1 }
                return .status(.noContent)
            }
            let output = content(input)
            guard case .hasResponse(let response) = output, let tag = response.etag,
                let known = input.headers["If-None-Match"].flatMap({ ETag($0) }), known.isWeaklyEqual(to: tag)
            else { return output }
            return .hasResponse(Response(statusCode: .notModified, headers: response.headers))
        }

        /// Returns the current content.
        func content(_ input: Input) -> Output {
            let path = input.url.path()
            let seconds = Int(time.date.timeIntervalSince(.start).rounded(.down))
            let kind = path.utf8.reduce(0) { $0 + Int($1) } % 5
            let version = "\(seconds / 10)-\(changes.withLock { $0[path] ?? 0 })"
            let language = kind == 1 ? input.headers["Accept-Language"] ?? "none" : ""
            let user = kind == 2 ? input.headers["Authorization"] ?? "nobody" : ""
            var headers: HTTPHeaders = ["Date": HTTPDate.text(time.date)]
            let rest = 10 - seconds % 10
            headers["Cache-Control"] =
                switch kind {
                case 3: "no-cache"
                case 4: "max-age=0, must-revalidate"
                default: "max-age=\(rest)"
                }
            if kind == 0 { headers["Expires"] = HTTPDate.text(time.date.addingTimeInterval(-5)) }
            if kind == 1 { headers["Vary"] = "Accept-Language" }
            let text = "\(path) \(version) \(language) \(user)"
            if kind != 2 { headers["ETag"] = "W/\"\(text.replacing(" ", with: "_"))\"" }
            return .text(input.methodAndPayload == .head ? "" : text, headers: headers)
        }
    }

    @Test("random requests give the same values with a cache as without, by fewer requests", arguments: 0..<5)
    func sameValues(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let (time, base) = (TestTime(), TestStore())
        let server = ModelServer(time)
        let cached = Connector.stub { server.answer($0) }.cached(base.store, time)
        let steps = isExhaustive ? 800 : 200
        for step in 0..<steps {
            let path = ["a", "b", "c", "d", "e", "f"].randomElement(using: &random) ?? ""
            var input = Input.get([:], URL(string: "https://api.example.com/\(path)")!)
            if Bool.random(using: &random) {
                input.headers["Accept-Language"] = ["de", "fr"].randomElement(using: &random)
            }
            if Bool.random(using: &random) {
                input.headers["Authorization"] = ["u1", "u2"].randomElement(using: &random)
            }
            switch Int.random(in: 0..<20, using: &random) {
            case 0: input.methodAndPayload = .post(payload: nil)
            case 1, 2: input.methodAndPayload = .head
            case 3: input.headers["Cache-Control"] = "no-cache"
            case 4: input.headers["Cache-Control"] = "max-age=3"
            case 5: input.headers["If-None-Match"] = "\"0\""
            case 6: input.headers["Cache-Control"] = "no-store"
            default: break
            }
            let output = await cached.output(input)
            if input.methodAndPayload.method != "POST" {
                let expected = server.content(input)
                #expect(output.text == expected.text && output.response?.statusCode == .ok, "step \(step): \(input)")
                if output.text != expected.text { return }
            }
            time.pass(Double(Int.random(in: 0...2, using: &random)))
        }
        #expect(server.requests < steps, "the cache saves requests: \(server.requests) of \(steps)")
        #expect(server.requests > 0)
    }

    // Identities.

    @Test("no identity gets the payload of another one, whatever a server says, in any interleaving", arguments: 0..<4)
    func identities(_ seed: UInt64) async {
        var random = SplitMix64(seed: seed)
        let (time, base) = (TestTime(), TestStore())
        let fields = ["Authorization", "Cookie", "X-API-Key"]
        let answers: [HTTPHeaders] = [
            ["Cache-Control": "public, max-age=5"], ["Cache-Control": "max-age=5", "Vary": "Accept"],
            ["Cache-Control": "max-age=1, stale-while-revalidate=9, stale-if-error=9", "ETag": "\"1\""],
            ["Cache-Control": "public, immutable, max-age=99"], ["ETag": "\"1\""], ["Last-Modified": httpDate(-1000)],
        ]
        let count = Mutex(0)
        let server = Connector.stub { input in
            for _ in 0..<Int.random(in: 0...3) { await Task.yield() }
            let user = fields.compactMap { input.headers[$0] }.joined()
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number % 7 == 0 { return .status(.serviceUnavailable) }
            let headers = answers[number % answers.count]
            if number % 3 == 0, input.headers.contains("If-None-Match") {
                return .status(.notModified, headers: headers)
            }
            return .text(user, headers: headers.merging(["Date": HTTPDate.text(time.date)]))
        }
        let connector = server.cached(base.store, time)
        for _ in 0..<60 {
            let inputs = (0..<8).map { _ in
                let field = fields.randomElement(using: &random) ?? ""
                let user = ["", "alice", "bob"].randomElement(using: &random) ?? ""
                var headers: HTTPHeaders = ["Accept": ["a", "b"].randomElement(using: &random) ?? ""]
                if !user.isEmpty { headers[field] = user }
                return (user, Input.get(headers))
            }
            await withTaskGroup(of: Void.self) { group in
                for (user, input) in inputs {
                    group.addTask {
                        let output = await connector.output(input)
                        if output.response?.statusCode == .ok { #expect(output.text == user, "\(input)") }
                    }
                }
            }
            time.pass(Double(Int.random(in: 0...3, using: &random)))
        }
        for key in base.keys {
            let payloads = Set(base.responses(of: key).map(\.response.payload))
            #expect(payloads.count == 1 && key.identity.isEmpty == (payloads == [Data()]))
        }
    }
}
