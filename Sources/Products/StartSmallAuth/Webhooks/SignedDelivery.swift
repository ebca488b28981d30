import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// The header fields of a delivery: what is signed before the body, and the signatures.
struct SignedDelivery {
    /// The text that is signed before the body.
    var beginning = ""
    var signatures: [[UInt8]] = []
    var id: String?
    var time: Date?

    /// The maximum number of signatures that count: 16, far more keys than a service changes at a time.
    private static let maximumCount = 16

    /// The maximum length of a field in bytes: 4 KiB, room for the signatures and for those of other versions.
    private static let maximumLength = 4 * 1024

    init(_ format: Webhook.Format, _ headers: HTTPHeaders) throws(WebhookRejection) {
        switch format {
        case .standard: try readStandard(headers)
        case .stripe: try readStripe(headers)
        case .gitHub:
            let field = "X-Hub-Signature-256"
            let value = try Self.value(of: field, headers)
            guard value.hasPrefix("sha256="), let digest = Self.hexadecimal(value.dropFirst(7)) else {
                throw .malformed(field: field)
            }
            signatures = [digest]
        }
    }

    private mutating func readStandard(_ headers: HTTPHeaders) throws(WebhookRejection) {
        let id = try Self.value(of: "webhook-id", headers)
        let time = try Self.value(of: "webhook-timestamp", headers)
        let field = "webhook-signature"
        self.time = try Self.date(time, "webhook-timestamp")
        // A dot in the ID would let a part of the body count as one of the time.
        guard !id.isEmpty, !id.utf8.contains(UInt8(ascii: ".")) else { throw .malformed(field: "webhook-id") }
        for signature in try Self.value(of: field, headers).split(separator: " ") {
            let parts = signature.split(separator: ",", maxSplits: 1)
            guard parts.count == 2, parts[0] == "v1", let bytes = Data(base64Encoded: String(parts[1])) else {
                continue
            }
            signatures.append(Array(bytes))
        }
        try finish(id: id, beginning: "\(id).\(time).", field)
    }

    private mutating func readStripe(_ headers: HTTPHeaders) throws(WebhookRejection) {
        let field = "Stripe-Signature"
        var times: [String] = []
        for item in try Self.value(of: field, headers).split(separator: ",") {
            let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .malformed(field: field) }
            if parts[0] == "t" { times.append(parts[1]) }
            if parts[0] == "v1", let digest = Self.hexadecimal(parts[1]) { signatures.append(digest) }
        }
        guard times.count == 1 else { throw .malformed(field: field) }
        time = try Self.date(times[0], field)
        try finish(id: nil, beginning: "\(times[0]).", field)
    }

    private mutating func finish(
        id: String?,
        beginning: String,
        _ field: String
    ) throws(WebhookRejection) {
        guard !signatures.isEmpty, signatures.count <= Self.maximumCount else { throw .malformed(field: field) }
        (self.id, self.beginning) = (id, beginning)
    }

    /// Returns the value of a field that there is once.
    private static func value(of name: String, _ headers: HTTPHeaders) throws(WebhookRejection) -> String {
        let values = headers.values(of: name)
        guard values.count == 1 else { throw .missing(field: name) }
        guard values[0].utf8.count <= maximumLength else { throw .malformed(field: name) }
        return values[0]
    }

    /// Reads seconds since 1970, in digits alone.
    private static func date(_ text: String, _ field: String) throws(WebhookRejection) -> Date {
        guard (1...12).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(text) else {
            throw .malformed(field: field)
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    private static func hexadecimal(_ text: some StringProtocol) -> [UInt8]? {
        let digits = text.utf8.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
