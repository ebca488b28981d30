public import StartSmallCore
import StartSmallSupport
import Foundation
import Synchronization

extension Connector {
    /// Returns a stub of an API, composed of endpoint `stubs`: `.stub(user.stub(octocat), repositories.stub([]))`.
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
    /// of `Wrapper.queries(_:to:)`: the endpoint does not have them. A stub that also has these takes precedence.
    ///
    /// Header fields and payloads are not compared: a test can check the sent requests with a ``Recorder``.
    ///
    /// - SeeAlso: ``stub(sequence:recording:unexpected:)``
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
        let connector = Connector { input, context in
            let own = context.value(OwnRequest.self)?.url.withLock(\.self)
            sent?.append(input)
            let recorded = try? input.asRecorded()
            if let recorded {
                let exact = exchanges.indices.filter { exchanges[$0].matches(recorded, nil) }
                let matches = exact.isEmpty ? exchanges.indices.filter { exchanges[$0].matches(recorded, own) } : exact
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
        return connector.named("stub").with(defaults: NotingOwnRequest.option)
    }
}

/// The URL of a request as its call began, to which wrappers may add query items; nil if it is unknown.
private struct OwnRequest: CallValue {
    let url = Locked<URLParts?>(nil)
}

/// The option that notes the ``OwnRequest`` of a call around all wrappers, none of which sees the option.
private enum NotingOwnRequest: RequestOption {
    typealias Value = Bool
    static let changesResponse = false

    static let option = CallOption { request, _ in
        request.options.set(NotingOwnRequest.self, to: true, isDefault: true)
    }

    static func output(of input: Input, with value: Bool, _ next: Next) async -> Output {
        let input = input.with { $0.options[NotingOwnRequest.self] = nil }
        let next = next.with { context in
            if context.values == nil { context.values = CallValues() }
            let parts = try? input.recordedURL().parts
            context.value(OwnRequest.self)?.url.withLock { if $0 == nil { $0 = parts } }
        }
        return await next(input)
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
    ///   - own: the URL of the request as its call began; nil if it is unknown, so that all items count.
    func matches(_ request: Input, _ own: URLParts?) -> Bool {
        let (stubbed, requested) = compared(with: request, own)
        return stubbed.fits(requested)
    }

    /// Returns the differences of a request from this stub, in method and URL.
    func differences(from request: Input, _ own: URLParts?) -> Differences {
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
    private func compared(with request: Input, _ own: URLParts?) -> (stubbed: RequestParts, requested: RequestParts) {
        var (stubbed, requested) = (
            RequestParts(of: input, for: .methodAndURL), RequestParts(of: request, for: .methodAndURL)
        )
        // Of a redirect to another path, all items count: nobody knows which of them a wrapper has added.
        if let own, requested.url.path.utf8.ends(with: own.path.utf8) {
            let counted = Set((own.queryItems + stubbed.url.queryItems).map { ByteEqualString($0) })
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

extension String.UTF8View {
    fileprivate func ends(with end: String.UTF8View) -> Bool {
        count >= end.count && suffix(end.count).elementsEqual(end)
    }
}
