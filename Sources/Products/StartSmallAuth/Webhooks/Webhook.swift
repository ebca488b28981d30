public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

/// The check of the requests by which a service calls an app: their signature, and their age.
///
/// ```swift
/// let webhook = Webhook(.standard, secrets: [secret])
/// switch webhook.verified(body, headers: headers, now: Date()) {
/// case .right(let delivery): handle(body, once: delivery.id)
/// case .left(let rejection): log("\(rejection)")  // and answer with 400
/// }
/// ```
///
/// The signature is of the bytes as they arrived: a body that was decoded and encoded again does not have it. While a
/// service changes its secret, both are given: one of them has to fit.
public struct Webhook: Sendable {
    /// The form of a service's signatures, all by HMAC-SHA-256.
    public enum Format: Hashable, Sendable {
        /// `webhook-id`, `webhook-timestamp`, and `webhook-signature: v1,…` (standardwebhooks.com, 1.0.0).
        ///
        /// The secret is the key in Base64, with or without `whsec_` before it. Signatures of another version, such as
        /// `v1a` by a public key, do not count.
        case standard

        /// `Stripe-Signature: t=…,v1=…` (Stripe, *Verify webhook signatures manually*).
        ///
        /// The secret is the text that begins with `whsec_`, as it is. Only `v1` counts. The ID of the event is in the
        /// body.
        case stripe

        /// `X-Hub-Signature-256: sha256=…` (GitHub, *Validating webhook deliveries*).
        ///
        /// Neither a time nor the ID in `X-GitHub-Delivery` is signed: to refuse a delivery that is sent again is the
        /// app's, by what is in the body. `X-Hub-Signature`, which is by SHA-1, does not count.
        case gitHub
    }

    /// The form of the signatures.
    public let format: Format

    /// The maximum difference between the time of a delivery and that of the app, in both directions.
    public let tolerance: Duration

    private let keys: Either<WebhookRejection, [[UInt8]]>

    /// The default tolerance: 5 minutes, as in the libraries of Stripe and of Standard Webhooks.
    @usableFromInline static let defaultTolerance = Duration.seconds(300)

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - format: the form of the signatures.
    ///   - secrets: the secrets, any of which may have signed; each delivery is rejected if there is none, or if one of
    ///     them is empty or not of the format.
    ///   - tolerance: the maximum difference of the times.
    public init(_ format: Format, secrets: [String], tolerance: Duration = defaultTolerance) {
        (self.format, self.tolerance) = (format, tolerance)
        let keys = secrets.map { Self.key(of: $0, format) }
        let areUsable = !keys.isEmpty && keys.allSatisfy { $0?.isEmpty == false }
        self.keys = areUsable ? .right(keys.compactMap(\.self)) : .left(.noSecret)
    }

    private static func key(of secret: String, _ format: Format) -> [UInt8]? {
        guard format == .standard else { return Array(secret.utf8) }
        let prefix = "whsec_"
        return Data(base64Encoded: String(secret.dropFirst(secret.hasPrefix(prefix) ? prefix.count : 0))).map(
            Array.init
        )
    }

    /// Checks a delivery.
    ///
    /// - Parameters:
    ///   - body: the bytes of the request's body, as they arrived.
    ///   - headers: the header fields of the request.
    ///   - now: the current time.
    /// - Returns: what identifies the delivery; on the left, the reason why it is not to be trusted.
    public func verified(
        _ body: Data,
        headers: HTTPHeaders,
        now: Date
    ) -> Either<WebhookRejection, WebhookDelivery> {
        Either { () throws(WebhookRejection) in
            let keys = try keys.get()
            let signed = try SignedDelivery(format, headers)
            let message = signed.beginning.isEmpty ? [body] : [Data(signed.beginning.utf8), body]
            // Each key and signature, so that the time does not show which of them fits.
            var fits = false
            for key in keys {
                let digest = HMAC.sha256(of: message, key: key)
                for signature in signed.signatures where HMAC.areEqual(signature, digest) { fits = true }
            }
            guard fits else { throw .wrongSignature }
            if let time = signed.time {
                let age = now.timeIntervalSince(time)
                let limit = tolerance / .seconds(1)
                guard age <= limit else { throw .tooOld }
                guard -age <= limit else { throw .tooEarly }
            }
            return WebhookDelivery(id: signed.id, time: signed.time)
        }
    }
}

extension Webhook: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The format; no secret.
    public var description: String { "a check of \(format) deliveries" }
}

/// The ID and the time of a delivery of a ``Webhook``, which a service may send again.
public struct WebhookDelivery: Hashable, Sendable {
    /// The signed ID of the delivery; nil if the format has none, as those of Stripe and GitHub.
    public let id: String?

    /// The signed time of the delivery; nil if the format has none.
    public let time: Date?
}

/// The reason why a delivery of a ``Webhook`` is not to be trusted.
public enum WebhookRejection: Error, Hashable, Sendable {
    /// A check without a secret, or with one that is empty or not of the format.
    case noSecret

    /// A header field is missing, or there is more than one of it.
    case missing(field: String)

    /// A header field can't be read.
    case malformed(field: String)

    /// A delivery without a signature by one of the secrets.
    case wrongSignature

    /// The delivery is older than the tolerance: it may be one that was recorded.
    case tooOld

    /// The time of the delivery is later than now by more than the tolerance.
    case tooEarly
}
