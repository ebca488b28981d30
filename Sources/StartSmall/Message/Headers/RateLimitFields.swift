import Foundation

/// The header fields with which one group of servers reports a limit of requests.
struct RateLimitFields: Sendable {
    let limit: String
    let remaining: String

    /// The names of the fields with the reset, of which the first readable one counts.
    let resets: [String]

    /// The groups, the standard's first.
    static let families: [RateLimitFields] = [
        RateLimitFields(limit: "RateLimit-Limit", remaining: "RateLimit-Remaining", resets: ["RateLimit-Reset"]),
        // The time from now first: it needs no equal clocks.
        RateLimitFields(
            limit: "X-RateLimit-Limit",
            remaining: "X-RateLimit-Remaining",
            resets: ["X-RateLimit-Reset-After", "X-RateLimit-Reset"]
        ),
        RateLimitFields(
            limit: "X-Rate-Limit-Limit",
            remaining: "X-Rate-Limit-Remaining",
            resets: ["X-Rate-Limit-Reset"]
        ),
        RateLimitFields(limit: "Rate-Limit", remaining: "Rate-Remaining", resets: ["Rate-Reset"]),
        RateLimitFields(
            limit: "X-RateLimit-Limit-Requests",
            remaining: "X-RateLimit-Remaining-Requests",
            resets: ["X-RateLimit-Reset-Requests"]
        ),
    ]

    /// Returns whether a field may be one of these: `Rate…` or `X-Rate…`, ignoring case.
    static func isOne(_ name: String) -> Bool {
        // One byte after the other, since this runs for each field of each response.
        var bytes = name.utf8.makeIterator()
        func take(_ letter: Unicode.Scalar) -> Bool { bytes.next().map { $0 | 0x20 == UInt8(ascii: letter) } ?? false }
        guard let first = bytes.next() else { return false }
        switch first | 0x20 {
        case UInt8(ascii: "r"): return take("a") && take("t") && take("e")
        case UInt8(ascii: "x"): return bytes.next() != nil && take("r") && take("a") && take("t") && take("e")
        default: return false
        }
    }

    /// Returns the limit in a response; nil if its fields are missing, or can't be read.
    ///
    /// - Parameters:
    ///   - headers: the header fields of the response.
    ///   - isThrottled: whether a missing number of remaining requests means 0.
    ///   - now: the current time.
    func status(in headers: HTTPHeaders, isThrottled: Bool, now: Date) -> RateLimitStatus? {
        let reset = resets.lazy.compactMap { name in headers[name].flatMap { RateLimitReset.duration($0, now: now) } }
            .first
        let remaining = headers[remaining].flatMap(RateLimitReset.count) ?? (isThrottled && reset != nil ? 0 : nil)
        guard let remaining else { return nil }
        return RateLimitStatus(limit: headers[limit].flatMap(RateLimitReset.count), remaining: remaining, reset: reset)
    }
}

// The structured field.
extension RateLimitFields {
    /// The number of members that are read of a field, which a server can make as long as it likes.
    private static let maximumMembers = 16

    /// The maximum length in bytes of a policy's name; a member with a longer name is skipped.
    ///
    /// Names are kept for as long as their limits apply. Those of known servers have fewer than 30 bytes.
    private static let longestName = 128

    /// Reads `RateLimit` of draft-ietf-httpapi-ratelimit-headers, versions 07 to 10; empty if it can't be read.
    ///
    /// As RFC 9651 4.2 requires, a field with one malformed member is ignored as a whole.
    ///
    /// - Parameters:
    ///   - text: the value of `RateLimit`.
    ///   - policies: the value of `RateLimit-Policy`, for the limit of each policy.
    static func read(_ text: String, policies: String) -> [RateLimitStatus] {
        guard let members = StructuredItem.list(text, atMost: maximumMembers) else { return dictionary(text) }
        let quotas = StructuredItem.list(policies, atMost: maximumMembers) ?? []
        return members.compactMap { member in
            guard case .text(let name) = member.value, name.utf8.count <= longestName,
                let remaining = member.parameters["r"]?.count
            else { return nil }
            let quota = quotas.first { $0.value == member.value }
            // A quota of bytes or of concurrent requests counts no requests, unless nothing remains of it.
            if let unit = quota?.parameters["qu"], unit != .text("requests"), remaining > 0 { return nil }
            return RateLimitStatus(
                policy: name,
                limit: quota?.parameters["q"]?.count,
                remaining: remaining,
                reset: member.parameters["t"]?.seconds
            )
        }
    }

    /// Reads the dictionary of version 07: `limit=100, remaining=50, reset=30`; empty if it is none.
    private static func dictionary(_ text: String) -> [RateLimitStatus] {
        let members = StructuredItem.dictionary(text, atMost: maximumMembers)
        guard let members, let remaining = members["remaining"]?.value.count else { return [] }
        return [
            RateLimitStatus(
                limit: members["limit"]?.value.count,
                remaining: remaining,
                reset: members["reset"]?.value.seconds
            )
        ]
    }
}

extension StructuredItem.Value {
    fileprivate var count: Int? {
        if case .number(let number) = self, number >= 0 { RateLimitReset.count(number) } else { nil }
    }

    fileprivate var seconds: Duration? {
        if case .number(let number) = self, number >= 0 {
            .seconds(min(number, RateLimitReset.mostSeconds))
        } else {
            nil
        }
    }
}
