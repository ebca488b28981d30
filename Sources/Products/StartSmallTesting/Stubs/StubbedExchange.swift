public import StartSmallCore
import StartSmallSupport
import Foundation
import Synchronization

extension Connector {
    /// Returns a stub of an API, composed of endpoint stubs: `.stub(user.stub(octocat), repositories.stub([]))`.
    ///
    /// The stub selects its output by method and URL, regardless of the order of query items. Any other request gets no
    /// response, and an error that lists the differences from the nearest stub in method and URL.
    ///
    /// A stub of a relative URL, as endpoints have inside of `Wrapper.baseURL(_:others:)`, matches on every server: its
    /// path is the end of the requested path, in whole segments, so that `/users` matches
    /// `https://api.example.com/v3/users`. If several stubs match a URL, the one with the most segments responds. Several
    /// stubs with equally many segments respond in their order, one per call, and the last of them from then on:
    /// `.stub(order.stub(.status(.tooManyRequests)), order.stub(placed))`.
    ///
    /// The query must be the same, but for the items that a wrapper has added to the request of the call, such as those
    /// of `Wrapper.queries(_:to:)`: the endpoint does not have them.
    ///
    /// Header fields and payloads are not compared: a test can check the sent requests with a ``Recorder``.
    ///
    /// - Parameters:
    ///   - stubs: the stubs of the endpoints.
    ///   - sent: records the inputs.
    ///   - unexpected: records the inputs that match no stub.
    public static func stub(
        _ stubs: EndpointStub...,
        recording sent: Recorder<Input>? = nil,
        unexpected: Recorder<Input>? = nil
    ) -> Connector {
        let exchanges = stubs.compactMap { stub in
            (stub.input.right.flatMap { try? $0.asRecorded() }).map { StubbedExchange($0, stub) }
        }
        // The number of earlier calls of each group of stubs with equal precedence, by the index of its first stub.
        let callCounts = Mutex<[Int: Int]>([:])
        let connector = stub { input in
            let own = input.options[OwnQuery.self]
            let input = input.with { $0.options[OwnQuery.self] = nil }
            sent?.append(input)
            let recorded = try? input.asRecorded()
            if let recorded {
                let matches = exchanges.indices.filter { exchanges[$0].matches(recorded, own) }
                let highest = matches.map { exchanges[$0].specificity }.max()
                let candidates = matches.filter { exchanges[$0].specificity == highest }
                if let first = candidates.first {
                    let count = callCounts.withLock { callCounts in
                        defer { callCounts[first, default: 0] += 1 }
                        return callCounts[first, default: 0]
                    }
                    return await exchanges[candidates[min(count, candidates.count - 1)]].stub.output(for: input)
                }
            }
            unexpected?.append(input)
            let nearest = exchanges.map { $0.differences(from: recorded ?? input, own) }.min { $0.weight < $1.weight }
            let differences = nearest?.lines.joined(separator: "; ")
            let reason = differences.map { "stubbed → requested: \($0)" } ?? "the stub is empty"
            return .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): \(reason)"))
        }
        return connector.with(defaults: OwnQuery.noted)
    }
}

/// The query items of a request as its call began, to which wrappers may add others.
private enum OwnQuery: RequestOption {
    typealias Value = [String]
    static let changesResponse = false

    static let noted = CallOption { request, _ in
        guard request.options[OwnQuery.self] == nil, let url = try? request.recordedURL() else { return }
        request.options.set(OwnQuery.self, to: url.parts.queryItems, isDefault: true)
    }

    static func output(of input: Input, with value: [String], _ next: Next) async -> Output {
        // A dry run shows the request without the note.
        await next(next.context.isDryRun ? input.with { $0.options[OwnQuery.self] = nil } : input)
    }
}

/// A stub and its request, normalized as a cassette records it (`asRecorded()`).
struct StubbedExchange: Sendable {
    let stub: EndpointStub
    private let input: Input

    init(_ input: Input, _ stub: EndpointStub) {
        (self.input, self.stub) = (input, stub)
    }

    /// The precedence among stubs: the number of the path's segments, or the maximum for an absolute URL.
    var specificity: Int { isRelative ? segments.count : .max }

    /// Returns whether this stub matches a request, which is normalized like the stub's own.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - own: the query items of the request as its call began; nil if they are unknown, so that all of them count.
    func matches(_ request: Input, _ own: [String]?) -> Bool {
        let (stubbed, requested) = compared(with: request, own)
        return stubbed.fits(requested)
    }

    /// Returns the differences of a request from this stub, in method and URL.
    func differences(from request: Input, _ own: [String]?) -> Differences {
        var (stubbed, requested) = compared(with: request, own)
        if isRelative {
            stubbed.url.path = "…/\(stubbed.url.path)"
            requested.url.path = "…/\(requested.url.path.drop { $0 == "/" })"
        }
        var found = Differences()
        found.compareMethodAndURL(stubbed, requested)
        return found
    }

    /// Returns the compared parts of both requests.
    ///
    /// If the stub's URL is relative, the server and the start of the path are not compared.
    private func compared(with request: Input, _ own: [String]?) -> (stubbed: RequestParts, requested: RequestParts) {
        var (stubbed, requested) = (
            RequestParts(of: input, for: .methodAndURL), RequestParts(of: request, for: .methodAndURL)
        )
        if let own {
            let counted = Set((own + stubbed.url.queryItems).map { ByteEqualString($0) })
            requested.url.queryItems.removeAll { !counted.contains(ByteEqualString($0)) }
        }
        if isRelative {
            let path = requested.url.path.components(separatedBy: "/").suffix(segments.count)
            (stubbed.url.path, requested.url.path) = (segments.joined(separator: "/"), path.joined(separator: "/"))
            stubbed.url.origin = requested.url.origin
        }
        return (stubbed, requested)
    }

    private var isRelative: Bool { input.url.scheme == nil && input.url.host(percentEncoded: true) == nil }

    /// The segments of the path after its leading slashes, as a base URL joins them; none for an empty path.
    private var segments: [String] {
        let path = input.url.path(percentEncoded: true)
        return path.isEmpty ? [] : path.drop { $0 == "/" }.components(separatedBy: "/")
    }
}
