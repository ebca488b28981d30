import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallAuth

struct WebhookTests {
    /// A delivery, its secret and its time.
    struct Sample: Sendable, CustomTestStringConvertible {
        var format: Webhook.Format
        var secret: String
        var headers: HTTPHeaders
        var body: String
        var time: Double
        var id: String?

        var testDescription: String { "\(format)" }

        func verified(
            _ secrets: [String]? = nil,
            headers: HTTPHeaders? = nil,
            body: String? = nil,
            at time: Double? = nil
        ) -> Either<WebhookRejection, WebhookDelivery> {
            Webhook(format, secrets: secrets ?? [secret]).verified(
                Data((body ?? self.body).utf8),
                headers: headers ?? self.headers,
                now: Date(timeIntervalSince1970: time ?? self.time)
            )
        }
    }

    /// The examples of the libraries of Standard Webhooks and of GitHub's documentation, and one in the form of Stripe's,
    /// whose signature is by Python's `hmac`.
    static let samples = [
        Sample(
            format: .standard,
            secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            headers: [
                "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
                "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            ],
            body: #"{"test": 2432232314}"#,
            time: 1_614_265_330,
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek"
        ),
        Sample(
            format: .gitHub,
            secret: "It's a Secret to Everybody",
            headers: [
                "X-GitHub-Delivery": "72d3162e",
                "X-Hub-Signature-256":
                    "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
            ],
            body: "Hello, World!",
            time: 0,
            id: nil
        ),
        Sample(
            format: .stripe,
            secret: "whsec_test",
            headers: [
                "Stripe-Signature": """
                t=1492774577,v1=7656fc2882a7ca0a651666b36bf2f2f22ee204f54f608f227498a2419f2890b2,v0=6ffb
                """
            ],
            body: #"{"id":"evt_1"}"#,
            time: 1_492_774_577,
            id: nil
        ),
    ]

    @Test("a signed delivery is verified, with its ID and its time", arguments: samples)
    func verified(sample: Sample) {
        let time = sample.format == .gitHub ? nil : Date(timeIntervalSince1970: sample.time)
        #expect(sample.verified().right == WebhookDelivery(id: sample.id, time: time))
        #expect(
            sample.verified(["old", sample.secret].filter { sample.format != .standard || $0 != "old" }).right != nil
        )
    }

    @Test(
        "a delivery of which any byte of the body, the secret or the signature differs is rejected",
        arguments: samples
    )
    func forged(sample: Sample) {
        for index in sample.body.utf8.indices {
            var body = Array(sample.body.utf8)
            body[sample.body.utf8.distance(from: sample.body.startIndex, to: index)] ^= 1
            #expect(sample.verified(body: String(decoding: body, as: UTF8.self)).left == .wrongSignature)
        }
        let secret = Array(sample.secret.utf8)
        for index in secret.indices {
            var other = secret
            other[index] = other[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let isPrefix = sample.format == .standard && index < 6
            let expected: WebhookRejection = isPrefix ? .noSecret : .wrongSignature
            #expect(sample.verified([String(decoding: other, as: UTF8.self)]).left == expected)
        }
        for field in sample.headers.fields where field.name != "X-GitHub-Delivery" {
            for index in field.value.utf8.indices {
                let offset = field.value.utf8.distance(from: field.value.startIndex, to: index)
                for byte in "0az,. =".utf8 {
                    var value = Array(field.value.utf8)
                    let isVersion0 = sample.format == .stripe && offset >= 80
                    if value[offset] == byte || isVersion0 { continue }
                    value[offset] = byte
                    var headers = sample.headers
                    headers[field.name] = String(decoding: value, as: UTF8.self)
                    let output = sample.verified(headers: headers)
                    // Of the last digit of Base64, only the upper bits count.
                    #expect(output.right == nil || sample.format == .standard && offset > 40, "\(headers)")
                }
            }
        }
    }

    @Test("a delivery cut at any byte of a field is rejected", arguments: samples)
    func cut(sample: Sample) {
        for field in sample.headers.fields where field.name != "X-GitHub-Delivery" {
            for count in 0..<field.value.utf8.count where !(sample.format == .stripe && count >= 80) {
                var headers = sample.headers
                headers[field.name] = String(decoding: field.value.utf8.prefix(count), as: UTF8.self)
                #expect(sample.verified(headers: headers).right == nil, "\(headers)")
            }
        }
    }

    @Test("a delivery counts within the tolerance of its time, in both directions", arguments: samples)
    func times(sample: Sample) {
        for (offset, rejection) in [(-301, .tooEarly), (-300, nil), (300, nil), (301, .tooOld)]
            as [(Double, WebhookRejection?)]
        {
            let output = sample.verified(at: sample.time + offset)
            #expect(output.left == (sample.format == .gitHub ? nil : rejection))
        }
        // The signature decides first: a stranger learns nothing of the clock.
        #expect(sample.verified(body: "", at: sample.time + 9_999).left == .wrongSignature)
    }

    @Test(
        "without a secret that can sign, each delivery is rejected",
        arguments: samples,
        [[], [""], ["whsec_", ""], ["a", ""]]
    )
    func secrets(sample: Sample, secrets: [String]) {
        #expect(sample.verified(secrets).left == .noSecret)
    }

    @Test("a field that is missing, or there twice, is named", arguments: samples)
    func fields(sample: Sample) {
        for field in sample.headers.fields where field.name != "X-GitHub-Delivery" {
            var headers = sample.headers
            headers[field.name] = nil
            #expect(sample.verified(headers: headers).left == .missing(field: field.name))
            headers = sample.headers
            headers.append(field.name, field.value)
            #expect(sample.verified(headers: headers).left == .missing(field: field.name))
            headers = sample.headers
            headers[field.name] = String(repeating: "v1,AAAA ", count: 1_000)
            #expect(sample.verified(headers: headers).left == .malformed(field: field.name))
        }
    }

    @Test("of several signatures, one by the secret is enough, and those of other versions do not count")
    func severalSignatures() throws {
        var headers = Self.samples[0].headers
        let good = try #require(headers["webhook-signature"])
        for list in ["v1,AAAA \(good)", "\(good) v1a,AAAA", "v2,\(good.dropFirst(3)) \(good)"] {
            headers["webhook-signature"] = list
            #expect(Self.samples[0].verified(headers: headers).right != nil)
        }
        for list in ["v1a,\(good.dropFirst(3))", "v2,\(good.dropFirst(3))", good.dropFirst(3) + ""] {
            headers["webhook-signature"] = list
            #expect(Self.samples[0].verified(headers: headers).left == .malformed(field: "webhook-signature"))
        }
        let stripe = Self.samples[2]
        let signature = try #require(stripe.headers["Stripe-Signature"])
        let other = "v1=" + String(repeating: "0", count: 64)
        #expect(stripe.verified(headers: ["Stripe-Signature": "\(other),\(signature)"]).right != nil)
        #expect(stripe.verified(headers: ["Stripe-Signature": "v1=x,\(signature)"]).right != nil)
        #expect(stripe.verified(headers: ["Stripe-Signature": "\(signature),t=1"]).left != nil)
        let old = signature.replacingOccurrences(of: "v1=", with: "v0=")
        #expect(stripe.verified(headers: ["Stripe-Signature": old]).left == .malformed(field: "Stripe-Signature"))
    }

    @Test("a part of a body does not count as the time before it")
    func shiftedParts() {
        let sample = Self.samples[0]
        let key = Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").map(Array.init) ?? []
        let digest = HMAC.sha256(of: [Data("a.1614265330.1614265330.x".utf8)], key: key)
        let signature = "v1," + Data(digest).base64EncodedString()
        let real: HTTPHeaders = ["webhook-id": "a", "webhook-timestamp": "1614265330", "webhook-signature": signature]
        #expect(sample.verified(headers: real, body: "1614265330.x").right != nil)
        var shifted = real
        shifted["webhook-id"] = "a.1614265330"
        #expect(sample.verified(headers: shifted, body: "x").left == .malformed(field: "webhook-id"))
    }

    @Test("a description of a check has no secret", arguments: samples)
    func descriptions(sample: Sample) {
        let webhook = Webhook(sample.format, secrets: [sample.secret])
        var dumped = ""
        dump(webhook, to: &dumped)
        for text in ["\(webhook)", String(reflecting: webhook), dumped] {
            #expect(text.contains("a check of \(sample.format) deliveries"))
            #expect(!text.contains(sample.secret) && !text.contains("keys"))
        }
    }
}
