import Foundation
public import StartSmall
import Synchronization

extension Connector {
    /// Stub of a whole API, from its endpoints: `.stub(user.stub(octocat), repositories.stub([]))`.
    ///
    /// A request is answered by the stub of its method and URL, where the order of query items does not count. A request to
    /// anywhere else gets no response, and is told what was expected and what is different.
    ///
    /// The stub of a relative URL, as endpoints have behind `Wrapper.baseURL(_:others:)`, answers on every server: its path
    /// is the end of the requested path, whole segments of it, so that `/users` fits `https://api.example.com/v3/users`; the
    /// query has to be the same. A URL that several stubs fit is answered by the one with most segments. Several with as many
    /// answer in their order, one a call, and the last of them from then on: `.stub(order.stub(status: .tooManyRequests),
    /// order.stub(placed))`.
    ///
    /// Header fields and payloads are not compared: a test looks at what was sent by a ``Recorder``.
    public static func stub(
        _ stubs: EndpointStub...,
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        let exchanges = stubs.compactMap { stub in
            (stub.input.right.flatMap { try? $0.asRecorded() }).map { StubbedExchange($0, stub) }
        }
        // The number of answers so far, by the first of the stubs that take turns.
        let answers = Mutex<[Int: Int]>([:])
        return stub(recording: sent) { input in
            if let asked = try? input.asRecorded() {
                let fitting = exchanges.indices.filter { exchanges[$0].fits(asked) }
                let most = fitting.map { exchanges[$0].specificity }.max()
                let turns = fitting.filter { exchanges[$0].specificity == most }
                if let first = turns.first {
                    let turn = answers.withLock { answers in
                        defer { answers[first, default: 0] += 1 }
                        return answers[first, default: 0]
                    }
                    return await exchanges[turns[min(turn, turns.count - 1)]].stub.answer(to: input)
                }
            }
            unexpected?.append(input)
            let near = exchanges.map { differences(between: $0.expected(at: input), and: input) }
                .min { $0.weight < $1.weight }
            let reason = near.map { "stubbed → asked: \($0.lines.joined(separator: "; "))" } ?? "nothing is stubbed"
            return .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
        }
    }
}

/// The request of an endpoint's stub, as a cassette would have it, and the stub.
struct StubbedExchange: Sendable {
    let stub: EndpointStub
    private let input: Input

    init(_ input: Input, _ stub: EndpointStub) {
        (self.input, self.stub) = (input, stub)
    }

    /// The number of the path's segments, by which one stub goes before another: that of an absolute URL before all.
    var specificity: Int { isRelative ? segments.count : .max }

    /// Whether a request, as a cassette would have it, is answered by this stub.
    func fits(_ asked: Input) -> Bool {
        guard isRelative else { return RequestMatching.methodAndURL(asked, input) }
        var (stubbed, requested) = (
            RequestParts(of: input, for: .methodAndURL), RequestParts(of: asked, for: .methodAndURL)
        )
        let path = requested.url.path.components(separatedBy: "/").suffix(segments.count)
        (stubbed.url.path, requested.url.path) = (segments.joined(separator: "/"), path.joined(separator: "/"))
        stubbed.url.origin = requested.url.origin
        return stubbed.fits(requested)
    }

    /// The request that was expected in place of another, on the other's server where the URL is relative.
    func expected(at asked: Input) -> Input {
        guard isRelative, var components = URLComponents(url: input.url, resolvingAgainstBaseURL: true),
            let server = URLComponents(url: asked.url, resolvingAgainstBaseURL: true)
        else { return input }
        (components.scheme, components.port) = (server.scheme, server.port)
        (components.percentEncodedUser, components.percentEncodedPassword) =
            (server.percentEncodedUser, server.percentEncodedPassword)
        components.encodedHost = server.encodedHost
        components.percentEncodedPath = "/" + segments.joined(separator: "/")
        return components.url.map { url in input.with { $0.url = url } } ?? input
    }

    private var isRelative: Bool { input.url.scheme == nil && input.url.host(percentEncoded: true) == nil }

    /// The segments of the path behind the slashes at its start, as a base URL joins them; none of an empty path.
    private var segments: [String] {
        let path = input.url.path(percentEncoded: true)
        return path.isEmpty ? [] : path.drop { $0 == "/" }.components(separatedBy: "/")
    }
}
