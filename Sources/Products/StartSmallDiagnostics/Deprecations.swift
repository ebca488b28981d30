public import StartSmallCore
import StartSmallHeaders
import StartSmallSupport
public import StartSmallFoundation

extension Wrapper {
    /// Reports each endpoint that its server calls deprecated (RFC 9745) or about to end (RFC 8594), once.
    ///
    /// ```swift
    /// let warnings = Listener { event in
    ///     if let notice = event.reported(DeprecationNotice.self) { warn("\(notice)") }
    /// }
    /// ```
    ///
    /// By default, an endpoint is a method, an origin and a path, in which each segment with a digit stands for any
    /// other one, except for a version such as `v1`: `GET https://api.example.com/v1/users/{}`. A name in a path, such
    /// as `/users/octocat`, is another endpoint for each user: then name the endpoints.
    ///
    /// - Parameter endpoint: returns the endpoint of a request for the notice, without any credential.
    /// - Passes through: all calls; neither input nor output is changed. Without a listener, nothing is read.
    /// - Order: any. Inside of `.redirect`, the response of each URL is read; inside of `.cache` and `.shareInFlight`,
    ///   each response once.
    /// - Events: ``DeprecationNotice``, for the first response of an endpoint with a field that can be read.
    /// - State: the endpoints that were reported, at most 1,024; further ones are not reported.
    public static func deprecations(
        endpoint: @escaping @Sendable (Input) -> String = DeprecationNotice.endpoint(of:)
    ) -> Wrapper {
        Wrapper("deprecations") { connector in
            let reported = Locked<Set<Int>>([])
            return connector.wrapped(
                by: Wrapper { input, next in
                    let output = await next(input)
                    guard next.context.hasListeners, let response = output.response,
                        let notice = DeprecationNotice(response, endpoint: endpoint(input))
                    else { return output }
                    let isFirst = reported.withLock {
                        $0.count < DeprecationNotice.maximumCount && $0.insert(notice.endpoint.hashValue).inserted
                    }
                    if isFirst { next.report(notice) }
                    return output
                }
            )
        }
    }
}

/// The announcement of a server that an endpoint is deprecated, or about to end, as `.deprecations` reports it.
public struct DeprecationNotice: ReportedEvent {
    /// The method, the origin and the path, such as `GET https://api.example.com/v1/users/{}`.
    public let endpoint: String

    /// The time from which the endpoint is deprecated, which may be in the future; nil if the server does not say.
    public let deprecated: Date?

    /// Whether the server says that the endpoint is deprecated, with a date or without; a `Sunset` alone does not.
    public let isDeprecated: Bool

    /// The time after which the endpoint is expected to be unavailable (RFC 8594 3); nil if the server does not say.
    public let sunset: Date?

    /// The name of the event.
    public var name: String { "deprecated" }

    /// The number of endpoints that are reported: far more than an app calls, and no flood if a path has a name.
    ///
    /// Of each one, only a hash of 8 bytes is kept.
    static let maximumCount = 1_024

    /// Creates a notice; nil if the response has no field that can be read.
    ///
    /// `Deprecation` is a date, or, as in the drafts before RFC 9745, a date of HTTP or `true`. Of two fields of one
    /// name, neither counts (RFC 9651 4.2).
    init?(_ response: Response, endpoint: @autoclosure () -> String) {
        // Parameters have no meaning here.
        let deprecation = Self.field("Deprecation", of: response).map { String($0.prefix { $0 != ";" }) }
        let sunset = Self.field("Sunset", of: response).flatMap { HTTPDate.date($0) }
        let deprecated = deprecation.flatMap { Self.date($0) ?? HTTPDate.date($0) }
        isDeprecated = deprecated != nil || deprecation.map(["true", "?1"].contains) == true
        guard isDeprecated || sunset != nil else { return nil }
        (self.endpoint, self.deprecated, self.sunset) = (endpoint(), deprecated, sunset)
    }

    private static func field(_ name: String, of response: Response) -> String? {
        let values = response.headers.values(of: name)
        return values.count == 1 ? values[0] : nil
    }

    /// Reads a date of structured fields: `@` and at most 15 digits (RFC 9651 3.3.7 and 3.3.1).
    static func date(_ text: String) -> Date? {
        let digits = text.utf8.dropFirst(text.hasPrefix("@-") ? 2 : 1)
        guard text.hasPrefix("@"), (1...15).contains(digits.count), digits.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int64(text.dropFirst()).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Returns the endpoint of a request: its method, and its URL without queries and IDs, in at most 256 characters.
    public static func endpoint(of input: Input) -> String {
        let url = input.targetURL ?? input.url
        let path = url.path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false)
        let origin = Origin(url).map { origin in
            let host = origin.host.contains(":") ? "[\(origin.host)]" : origin.host
            return "\(origin.scheme)://\(host)" + (url.port.map { ":\($0)" } ?? "")
        }
        let text = (origin ?? "") + path.map { isID($0) ? "{}" : $0 }.joined(separator: "/")
        return String("\(input.methodAndPayload.method.onOneLine) \(Redaction.standard.shown(url: text))".prefix(256))
    }

    /// Whether a segment of a path stands for any other one: it has a digit, and is no version.
    private static func isID(_ segment: Substring) -> Bool {
        let isVersion = segment.first == "v" && segment.dropFirst().utf8.allSatisfy { $0.isASCIIDigit || $0 == 0x2E }
        return !isVersion && segment.utf8.contains(where: \.isASCIIDigit)
    }
}

extension DeprecationNotice: CustomStringConvertible {
    /// The endpoint and the dates: `GET https://a.example/v1: deprecated from Sun, 06 Nov 1994 08:49:37 GMT on`.
    public var description: String {
        let start = deprecated.map { "deprecated from \(HTTPDate.text($0)) on" } ?? (isDeprecated ? "deprecated" : nil)
        let end = sunset.map { "ends at \(HTTPDate.text($0))" }
        return "\(endpoint): \([start, end].compactMap(\.self).joined(separator: ", "))"
    }
}
