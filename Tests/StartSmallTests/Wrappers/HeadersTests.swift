import Foundation
import StartSmall
import StartSmallTesting
import TestSupport
import Testing

struct HeadersTests {
    private static let input = Input(url: Fixture.url, headers: ["Accept": "text/plain", "X-Tag": "own"])
    private static let common: HTTPHeaders = ["accept": "application/json", "X-Tag": "a", "X-Tag": "b", "X-New": "new"]

    /// The combinations of the two headers above, by policy.
    private static let combined: [(HeaderMergePolicy?, [String])] = [
        (nil, ["Accept: text/plain", "X-Tag: own", "X-New: new"]),
        (.ifAbsent, ["Accept: text/plain", "X-Tag: own", "X-New: new"]),
        (.override, ["accept: application/json", "X-Tag: a", "X-Tag: b", "X-New: new"]),
        (
            .append,
            ["Accept: text/plain", "X-Tag: own", "accept: application/json", "X-Tag: a", "X-Tag: b", "X-New: new"]
        ),
    ]

    @Test(
        "each policy decides between two fields of one name; by default, the request's own fields win",
        .parity("B14"),
        .parity("D7"),
        arguments: combined
    )
    func rules(_ rule: HeaderMergePolicy?, _ expected: [String]) async {
        let fixed = rule.map { Wrapper.headers(Self.common, $0) } ?? .headers(Self.common)
        let computed = rule.map { Wrapper.headers($0) { _ in Self.common } } ?? .headers { _ in Self.common }
        for wrapper in [fixed, computed] {
            let recorded = await RecordedCall(of: Self.input, through: wrapper)
            #expect(recorded.request?.headers.fields.map(\.description) == expected)
        }
    }

    @Test("headers are computed for each request, and for each attempt if they are inside of a retry")
    func computed() async {
        let count = Recorder<Void>()
        let numbered = Wrapper.headers { input in
            count.append(())
            return ["X-Call": "\(input.methodAndPayload.method) \(count.elements.count)"]
        }
        let inside = await RecordedCall(through: .attempts(2), numbered).sent
        #expect(inside.map { $0.headers["X-Call"] } == ["GET 1", "GET 2"])
        let outside = await RecordedCall(through: numbered, .attempts(2)).sent
        #expect(outside.map { $0.headers["X-Call"] } == ["GET 3", "GET 3"])
    }

    @Test("a thrown error is the call's error, or is kept as text without credentials, and nothing is sent")
    func errors() async {
        struct Locked: Error { let url = "https://me:hunter2@keys.example" }
        let lost = await RecordedCall(through: .headers { _ in throw Fixture.lost })
        #expect(lost.output == .noResponse(Fixture.lost))
        let locked = await RecordedCall(through: .headers { _ in throw Locked() })
        let error = locked.output.connectionError
        #expect(error?.name == "malformedHeader" && error?.debugInfo.contains("Locked") == true)
        #expect(error?.debugInfo.contains("hunter2") == false)
        #expect(lost.sent.isEmpty && locked.sent.isEmpty)
    }
}

/// The wrappers that add one field of their own: a product, an ID or a key.
struct AddedFieldTests {
    private static let id = UUID(uuidString: "8E03978E-40D5-43DD-BC93-6894A57F9324")!
    private static let text = "8e03978e-40d5-43dd-bc93-6894a57f9324"
    private static let post = Input(url: Fixture.url, methodAndPayload: .post(payload: nil))

    private static let wrappers: [(wrapper: Wrapper, name: String, value: String)] = [
        (.userAgent("Acme", version: "1.2", comment: "Linux"), "User-Agent", "Acme/1.2 (Linux)"),
        (.userAgent(), "User-Agent", UserAgentProduct.userAgent([.thisApp()]).right ?? "no product"),
        (.requestID { id }, "X-Request-ID", text), (.requestID(header: "X-Own") { id }, "X-Own", text),
        (.idempotencyKey { id }, "Idempotency-Key", "\"\(text)\""),
        (.idempotencyKey(header: "X-Own", methods: ["POST"], quoted: false) { id }, "X-Own", text),
    ]

    @Test("a request gets the field, and one with its own field is not changed", .parity("B14"), arguments: wrappers)
    func attached(_ wrapper: Wrapper, _ name: String, _ value: String) async {
        #expect(await RecordedCall(of: Self.post, through: wrapper).request?.headers.values(of: name) == [value])
        let own = Self.post.with { $0.headers[name.lowercased()] = "own" }
        #expect(await RecordedCall(of: own, through: wrapper).sent == [own])
    }

    @Test("a generated ID is a random UUID of version 4, in lower case")
    func version4() async {
        var seen: [Set<Character>] = Array(repeating: [], count: 36)
        for _ in 0..<200 {
            let id = await RecordedCall(of: Self.post, through: .requestID()).request?.headers["X-Request-ID"] ?? ""
            #expect(UUID(uuidString: id) != nil && id == id.lowercased())
            for (index, digit) in id.enumerated() where index < 36 { seen[index].insert(digit) }
        }
        let fixed = [8: "-", 13: "-", 14: "4", 18: "-", 23: "-"]
        for (index, digits) in seen.enumerated() {
            if let text = fixed[index] {
                #expect(digits == Set(text))
            } else {
                #expect(index == 19 ? digits == Set("89ab") : digits.count > 8, "\(index)")
            }
        }
    }

    @Test("POST and PATCH get a key, and no other method does, unless it is named", arguments: RecordedCall.methods)
    func methods(_ method: HTTPMethodAndPayload) async {
        let input = Input(url: Fixture.url, methodAndPayload: method)
        for (wrapper, methods) in [
            (Wrapper.idempotencyKey(), ["POST", "PATCH"]), (.idempotencyKey(methods: ["GET"]), ["GET"]),
        ] {
            let request = await RecordedCall(of: input, through: wrapper).request
            #expect(request?.headers.contains("Idempotency-Key") == methods.contains(method.method))
        }
    }

    @Test(
        "outside of a retry, all attempts have the same key; inside of it, each has its own",
        arguments: [(Wrapper.idempotencyKey(), "Idempotency-Key"), (.requestID(), "X-Request-ID")]
    )
    func order(_ wrapper: Wrapper, _ name: String) async {
        func values(_ sent: [Input]) -> [String?] { sent.map { $0.headers[name] } }
        let outside = values(await RecordedCall(of: Self.post, through: wrapper, .attempts(3)).sent)
        #expect(outside.count == 3 && Set(outside).count == 1)
        let inside = values(await RecordedCall(of: Self.post, through: .attempts(3), wrapper).sent)
        #expect(Set(inside).count == 3)
    }

    @Test("an invalid product is a clear error, and nothing is sent")
    func malformed() async {
        let recorded = await RecordedCall(through: .userAgent("My App"))
        #expect(recorded.output.connectionError?.name == "malformedHeader")
        #expect(recorded.output.connectionError?.debugInfo.contains("\"My App\"") == true)
        #expect(recorded.sent.isEmpty)
    }
}
