import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallEngines
@testable import StartSmallSupport

extension Target {
    /// The parsers that decide the destination of a request.
    static let destinations = [wireTarget, baseURL]

    private static let wireTarget = text(
        "wire-target",
        words: [
            "https://", "http://h/", "u:p@", "@", "[::1]", "[fe80::1%25en0]", ":80", ":99999", "%C3%A9", "%2F", "/..",
            "?a=b", "#c", "xn--",
        ],
        starts: ["https://", "https://u:", "https://h/"],
        read: { text in _ = URL(string: text).map { try? WireTarget(of: Input(url: $0)) } },
        check: { text in
            guard let url = URL(string: text), let target = try? WireTarget(of: Input(url: url)) else { return false }
            try promise("the target has a host", target.url.host(percentEncoded: true)?.isEmpty == false)
            try promise("the host is allowed", Authority(of: target.url.absoluteString)?.refusal == nil)
            try promise("the target has no credentials", target.url.user() == nil && target.url.password() == nil)
            try promise("the target has no fragment", target.url.fragment() == nil)
            let again = try WireTarget(of: Input(url: target.url))
            try promise("a validated target stays unchanged", again.url == target.url && again.authorization == nil)
            return true
        }
    )

    private static let baseURL = text(
        "base-url",
        words: [
            "/users", "users", "//b", "..", ".", "%2e", "%2F", "?a=b", "&", "#c", "https://a:80/", "@", "\\", "é", ":",
        ],
        starts: ["/", "?", "https://a/"],
        read: { text in _ = URL(string: text).map { url in home?.joined(with: url) } },
        check: { text in
            guard let url = URL(string: text), let home else { return false }
            guard let joined = home.joined(with: url), home.relation(of: url) == .relative else { return false }
            try promise("a relative reference stays at the base's origin", home.relation(of: joined) == .sameOrigin)
            let path = joined.path(percentEncoded: true)
            let segments = URIEncoding.decoded(path).split(separator: UInt8(ascii: "/"))
            let isBelow = path.hasPrefix("/v3") && !segments.contains(Array("..".utf8)[...])
            try promise("a reference stays below the base's path", isBelow)
            return true
        }
    )

    private static let home = URL(string: "https://a/v3?k=1").flatMap(BaseURLResolver.init)
}
