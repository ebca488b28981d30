/// The position of a call in a distributed trace: the values of `traceparent` and `tracestate`.
///
/// See W3C Trace Context, <https://www.w3.org/TR/trace-context/>, section 3.
///
/// ```swift
/// let context = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
/// await TraceContext.$current.withValue(context) { await zen.fetch(via: traced) }
/// ```
public struct TraceContext: Hashable, Sendable {
    /// The ID of the whole trace; never 0.
    public let traceID: UInt128

    /// The ID of the calling span; never 0.
    public let spanID: UInt64

    /// Whether the caller may have recorded the span.
    public let isSampled: Bool

    /// Whether the right half of ``traceID`` is random, so that other services may sample by it (Level 2, 3.2.2.5.2).
    public let isRandom: Bool

    /// The data of tracing systems, passed along unchanged; nil if there is none, or none that is valid.
    public let tracestate: String?

    /// The context of the running task; a server sets it from a request, and calls of the task continue the trace.
    @TaskLocal public static var current: TraceContext?

    /// Creates a context; an ID of 0, which means "no ID", becomes 1.
    public init(
        traceID: UInt128,
        spanID: UInt64,
        isSampled: Bool,
        isRandom: Bool = false,
        tracestate: String? = nil
    ) {
        self.traceID = max(1, traceID)
        self.spanID = max(1, spanID)
        self.isSampled = isSampled
        self.isRandom = isRandom
        self.tracestate = tracestate.flatMap { Self.isTracestate($0) ? $0 : nil }
    }

    /// Parses the values of the two fields; nil if `traceparent` is not valid.
    ///
    /// If `traceparent` is not valid, `tracestate` is ignored too (3.3). A value of a later version is parsed as far as
    /// version 00 defines it (3.2.4). A `tracestate` that is not valid is dropped.
    ///
    /// - Parameters:
    ///   - traceparent: the value of the field `traceparent`.
    ///   - tracestate: the value of the field `tracestate`; several fields of that name are joined by commas.
    public init?(traceparent: String, tracestate: String? = nil) {
        let bytes = Array(traceparent.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == dash }),
            let version = Self.number(UInt8.self, bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || version > 0 && bytes[55] == dash,
            let traceID = Self.number(UInt128.self, bytes[3..<35]), traceID != 0,
            let spanID = Self.number(UInt64.self, bytes[36..<52]), spanID != 0,
            let flags = Self.number(UInt8.self, bytes[53..<55])
        else { return nil }
        self.init(
            traceID: traceID,
            spanID: spanID,
            isSampled: flags & Self.sampledFlag != 0,
            isRandom: flags & Self.randomFlag != 0,
            tracestate: tracestate
        )
    }

    /// The value of `traceparent`, in version 00.
    public var traceparent: String {
        let flags = (isSampled ? Self.sampledFlag : 0) | (isRandom ? Self.randomFlag : 0)
        return "00-\(Self.digits(traceID))-\(Self.digits(spanID))-\(Self.digits(flags))"
    }

    /// Returns the context of a child span in the same trace.
    public func child(spanID: UInt64) -> TraceContext {
        TraceContext(
            traceID: traceID,
            spanID: spanID,
            isSampled: isSampled,
            isRandom: isRandom,
            tracestate: tracestate
        )
    }

    private static let sampledFlag: UInt8 = 1
    private static let randomFlag: UInt8 = 2

    /// Parses a number in lowercase hexadecimal digits; no other digits are valid (3.2.2).
    private static func number<Number: FixedWidthInteger>(_: Number.Type, _ digits: ArraySlice<UInt8>) -> Number? {
        var number: Number = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | Number(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | Number(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    /// Returns all hexadecimal digits of a number, including leading zeros.
    private static func digits(_ number: some FixedWidthInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: type(of: number).bitWidth / 4 - digits.utf8.count) + digits
    }

    /// Returns whether a text is a valid list of members.
    ///
    /// A valid list has at most 32 members, each a key and a value in visible ASCII and spaces (3.3.1). The tracing
    /// systems validate the syntax and the uniqueness of keys; the list is passed along without parsing them.
    private static func isTracestate(_ text: String) -> Bool {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) || isBlank($0) }) else { return false }
        let equals = UInt8(ascii: "=")
        var (rest, count) = (text.utf8[...], 0)
        while !rest.isEmpty {
            let member = rest.prefix { $0 != UInt8(ascii: ",") }
            rest = rest[member.endIndex...].dropFirst()
            // A list may have empty members (RFC 9110 5.6.1.2).
            guard let first = member.first(where: { !isBlank($0) }) else { continue }
            count += 1
            guard count <= 32, first != equals, member.contains(equals) else { return false }
        }
        return count > 0
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}

extension TraceContext: CustomStringConvertible {
    /// The value of `traceparent`.
    public var description: String { traceparent }
}
