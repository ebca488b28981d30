import Foundation
public import StartSmall
import Synchronization

extension Connector {
    /// Stub of a whole API, from its endpoints: `.stub(user.stub(octocat), repositories.stub([]))`.
    ///
    /// A request is answered by the stub of its method and URL, where the order of query items does not count. A request to
    /// anywhere else gets no response, and is told the differences from the nearest stub, of what is compared alone.
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
            let recorded = try? input.asRecorded()
            if let asked = recorded {
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
            let near = exchanges.map { $0.differences(from: recorded ?? input) }.min { $0.weight < $1.weight }
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
        let (stubbed, requested) = compared(with: asked)
        return stubbed.fits(requested)
    }

    /// What of a request does not fit this stub, as far as it is compared.
    func differences(from asked: Input) -> Differences {
        var (stubbed, requested) = compared(with: asked)
        if isRelative {
            stubbed.url.path = "…/\(stubbed.url.path)"
            requested.url.path = "…/\(requested.url.path.drop { $0 == "/" })"
        }
        var found = Differences()
        found.compareMethodAndURL(stubbed, requested)
        return found
    }

    /// What is compared of both: neither the server nor the beginning of the path where the stub's URL is relative.
    private func compared(with asked: Input) -> (stubbed: RequestParts, asked: RequestParts) {
        var (stubbed, requested) = (
            RequestParts(of: input, for: .methodAndURL), RequestParts(of: asked, for: .methodAndURL)
        )
        if isRelative {
            let path = requested.url.path.components(separatedBy: "/").suffix(segments.count)
            (stubbed.url.path, requested.url.path) = (segments.joined(separator: "/"), path.joined(separator: "/"))
            stubbed.url.origin = requested.url.origin
        }
        return (stubbed, requested)
    }

    private var isRelative: Bool { input.url.scheme == nil && input.url.host(percentEncoded: true) == nil }

    /// The segments of the path behind the slashes at its start, as a base URL joins them; none of an empty path.
    private var segments: [String] {
        let path = input.url.path(percentEncoded: true)
        return path.isEmpty ? [] : path.drop { $0 == "/" }.components(separatedBy: "/")
    }
}
