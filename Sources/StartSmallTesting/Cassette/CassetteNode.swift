import Foundation
import StartSmall

/// A value in a cassette's file, which is written like pretty-printed output of `JSONEncoder`.
///
/// `JSONEncoder` takes 60 ms for a megabyte of text, which must be converted to a text per line first; this type takes
/// 3 ms.
enum CassetteNode {
    case text(ArraySlice<UInt8>)
    case number(Int)
    case list([CassetteNode])

    /// The members in the order of writing; members without a value are omitted.
    case object([(name: String, value: CassetteNode?)])

    static func text(_ text: String) -> CassetteNode { .text(Array(text.utf8)[...]) }

    /// Appends the value, with this indentation in spaces.
    func write(to bytes: inout [UInt8], indented indent: Int) {
        switch self {
        case .text(let text): JSONString.write(text, to: &bytes)
        case .number(let number): bytes += String(number).utf8
        case .list(let elements):
            Self.write(elements, "[", "]", to: &bytes, indented: indent) { element, bytes in
                element.write(to: &bytes, indented: indent + 2)
            }
        case .object(let members):
            let present = members.compactMap { member in member.value.map { (member.name, $0) } }
            Self.write(present, "{", "}", to: &bytes, indented: indent) { member, bytes in
                JSONString.write(Array(member.0.utf8)[...], to: &bytes)
                bytes += " : ".utf8
                member.1.write(to: &bytes, indented: indent + 2)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element],
        _ opening: String,
        _ closing: String,
        to bytes: inout [UInt8],
        indented indent: Int,
        _ write: (Element, inout [UInt8]) -> Void
    ) {
        bytes += opening.utf8
        for (index, element) in elements.enumerated() {
            bytes += index == 0 ? "\n".utf8 : ",\n".utf8
            bytes += repeatElement(UInt8(ascii: " "), count: indent + 2)
            write(element, &bytes)
        }
        bytes += "\n".utf8
        bytes += repeatElement(UInt8(ascii: " "), count: indent)
        bytes += closing.utf8
    }
}

extension CassetteNode {
    /// Creates the node of an exchange; names are in alphabetical order.
    init(_ exchange: Exchange) {
        let response = exchange.failure == nil ? exchange.response : exchange.arrived
        self = .object([
            ("failure", exchange.failure.map(Self.failure)),
            ("recorded", .text(exchange.recorded.formatted(.iso8601))),
            ("request", Self.request(exchange.input, exchange.inputDigest)),
            ("response", response.map { Self.response($0, exchange.responseDigest) }),
        ])
    }

    private static func failure(_ failure: RecordedFailure) -> CassetteNode {
        .object([
            ("code", failure.code.map { .number($0) }),
            ("domain", failure.domain.map { .text($0) }),
            ("limit", failure.limit.map { .number($0) }),
            ("name", .text(failure.name)),
            ("text", failure.text.map { .text($0) }),
        ])
    }

    private static func request(_ input: Input, _ digest: PayloadDigest?) -> CassetteNode {
        let payload = input.methodAndPayload.body.map { _ in Self.payload(input.recordedPayload) }
        return .object([
            ("headers", fields(input.headers)),
            ("mediaType", (input.methodAndPayload.payload?.mediaType?.rawValue).map { .text($0) }),
            ("method", .text(input.methodAndPayload.method)),
            ("payload", digest.map(Self.digest) ?? payload),
            ("url", .text(input.url.absoluteString.showingPlaceholder)),
        ])
    }

    private static func response(_ response: Response, _ digest: PayloadDigest?) -> CassetteNode {
        let payload = response.payload.isEmpty ? nil : Self.payload(response.recordedPayload)
        let steps = response.redirections.map { step in
            CassetteNode.object([
                ("from", .text(step.from.absoluteString.showingPlaceholder)),
                ("status", .number(step.statusCode.code)),
                ("to", .text(step.to.absoluteString.showingPlaceholder)),
            ])
        }
        return .object([
            ("headers", fields(response.headers)),
            ("payload", digest.map(Self.digest) ?? payload),
            ("redirections", steps.isEmpty ? nil : .list(steps)),
            ("status", .number(response.statusCode.code)),
            ("trailers", fields(response.trailers)),
        ])
    }

    /// Returns each field as `Name: value`; nil if there are none.
    private static func fields(_ headers: HTTPHeaders) -> CassetteNode? {
        headers.fields.isEmpty ? nil : .list(headers.fields.map { .text("\($0.name): \($0.value)") })
    }

    private static func digest(_ digest: PayloadDigest) -> CassetteNode {
        .object([("sha256", digest.sha256.map { .text($0) }), ("size", .number(digest.size))])
    }

    private static func payload(_ payload: RecordedPayload) -> CassetteNode {
        let named = payload.namedText
        guard let text = named.map({ Array($0.text.utf8) }) ?? payload.utf8, !isShorterInBase64(text) else {
            return .object([("base64", .text(payload.data.base64EncodedString()))])
        }
        let pieces = JSONPieces.pieces(of: text)
        let lines = pieces == nil ? text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) : nil
        return .object([
            ("charset", named.map { .text($0.charset) }),
            ("json", pieces.map { .list($0.map { .text($0) }) }),
            ("text", lines.map { .list($0.map { .text($0) }) }),
        ])
    }
}

extension CassetteNode {
    /// Returns whether a text has more than one control character among eight characters.
    ///
    /// A control character takes six bytes in JSON, so that such a text is shorter in Base64, and is not meant for
    /// reading.
    private static func isShorterInBase64(_ text: [UInt8]) -> Bool {
        text.count { $0 < 0x20 && !$0.isEndOfLineOrTab } > text.count / 8
    }
}

extension UInt8 {
    fileprivate var isEndOfLineOrTab: Bool {
        self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") || self == UInt8(ascii: "\t")
    }
}

extension RecordedPayload {
    /// The bytes, if they are UTF-8.
    fileprivate var utf8: [UInt8]? {
        let bytes = Array(data)
        return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
    }
}
