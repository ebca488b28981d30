import Foundation
import GitHubAPI
import StartSmall
import StartSmallStreams
import StartSmallCaching
import StartSmallCookies
import Synchronization

/// The cost of the cache, of cookies and of shared requests for a call over a stub.
enum CacheCost {
    /// The number of URLs for misses: more than the store in memory keeps responses.
    private static let urls = 40_000

    private static let user = Data(#"{"id":1124024,"login":"Kuniwak"}"#.utf8)

    /// Measures and prints the costs.
    static func measure() async throws {
        print("\nnanoseconds a call, median of \(Stopwatch.runs) runs, and its share of Foundation's decoding")
        let decoding = await Stopwatch.nanoseconds(calls: 20_000) {
            _ = try? JSONDecoder().decode(GitHubUser.self, from: user)
        }
        func show(_ name: String, _ nanoseconds: Double, atMost limit: Double? = nil) {
            let figure = String(Int(nanoseconds.rounded()))
            let column = String(repeating: " ", count: max(1, 48 - name.count - figure.count))
            print("  \(name)\(column)\(figure)\(Stopwatch.share(nanoseconds, of: decoding, atMost: limit))")
        }
        show("Foundation's decoding of a user", decoding)
        let bare = try await cost(of: [])
        show("no wrapper", bare)
        show("a fresh hit in memory", try await cost(of: [.cache(in: .memory())], isHit: true), atMost: 1.5)
        let folder = FileManager.default.temporaryDirectory.appending(path: "startsmall-bench-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let hit = try await cost(of: [.cache(in: .directory(folder))], calls: 2_000, isHit: true)
        show("a fresh hit in a directory", hit)
        print("    \(Int(hit / 1_000)) microseconds, at most 60: \(hit <= 60_000 ? "reached" : "MISSED")")
        show("other URLs, no wrapper", try await misses([]))
        let missing = try await misses([.cache(in: .memory())]) - misses([])
        show("more for a miss that is stored in memory", missing, atMost: 0.7)
        show("more for .shareInFlight, alone", try await cost(of: [.shareInFlight()]) - bare)
        let jar = CookieJar()
        try jar.receive("id=1; Secure", from: url(0))
        show("more for .cookies, one cookie", try await cost(of: [.cookies(in: jar)]) - bare)
    }

    /// Measures calls for one URL.
    ///
    /// - Parameter isHit: whether no call but the first may reach the stub; otherwise nothing would be measured.
    private static func cost(of wrappers: [Wrapper], calls: Int = 20_000, isHit: Bool = false) async throws -> Double {
        let input = Input(url: try url(0))
        let requests = Atomic(0)
        let answer = answer
        let connector = Connector { _ in
            requests.add(1, ordering: .relaxed)
            return answer
        }.wrapped(by: .all(wrappers))
        let cost = await Stopwatch.nanoseconds(calls: calls) { _ = await WebAPI.call(with: input, via: connector) }
        if isHit, requests.load(ordering: .relaxed) != 1 { print("  NOT MEASURED: these were no hits") }
        return cost
    }

    /// Measures calls for one URL after another.
    private static func misses(_ wrappers: [Wrapper]) async throws -> Double {
        let inputs = try (0..<urls).map { Input(url: try url($0)) }
        let next = Atomic(0)
        let requests = Atomic(0)
        let answer = answer
        let connector = Connector { _ in
            requests.add(1, ordering: .relaxed)
            return answer
        }.wrapped(by: .all(wrappers))
        let cost = await Stopwatch.nanoseconds(calls: urls / 2) {
            let index = next.add(1, ordering: .relaxed).newValue % urls
            _ = await WebAPI.call(with: inputs[index], via: connector)
        }
        let count = next.load(ordering: .relaxed)
        if requests.load(ordering: .relaxed) != count { print("  NOT MEASURED: these were no misses") }
        return cost
    }

    private static var answer: Output {
        let fields: HTTPHeaders = [
            "Cache-Control": "max-age=86400", "Content-Type": "application/json", "Date": HTTPDate.text(Date()),
            "ETag": "\"1\"",
        ]
        return .hasResponse(Response(statusCode: .ok, headers: fields, payload: user))
    }

    private static func url(_ number: Int) throws -> URL {
        let url = URL(string: "https://api.example.com/users/\(number)")
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        return url
    }
}
