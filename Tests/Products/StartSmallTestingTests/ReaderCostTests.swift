import Foundation
import StartSmall
import StartSmallDiagnostics
import TestSupport
import Testing

@testable import StartSmallTesting

/// The time in which recordings are read, redacted and compared.
@Suite(.enabled(if: isExhaustive)) struct ReaderCostTests {
    @Test("a recording is read, redacted and compared in linear time", arguments: readers)
    func read(_ reader: ReaderCost) { reader.expectLinear() }

    @Test("a recording takes linear time, though each exchange brings a secret that an earlier one has shown")
    func record() {
        // Four times as many exchanges may take eight times as long, because of caches.
        let few = (0..<3).map { _ in Self.seconds(ofRecording: 250) }.min() ?? 0
        let many = (0..<3).map { _ in Self.seconds(ofRecording: 1_000) }.min() ?? 0
        #expect(many < few * 8, "\(few) s and \(many) s")
    }

    private static func seconds(ofRecording count: Int) -> Double {
        let start = ReaderCost.processorSeconds
        var (known, texts, exchanges) = (KnownSecrets(), [RecordedTexts](), [Exchange]())
        for number in 0..<count {
            let next = String(repeating: "the-cursor-\(number + 1) ", count: 20)
            let payload = #"{"token":"the-cursor-\#(number)","next":"\#(next)"}"#
            let new = exchange(("X-Any", "a"), payload, "application/json")
            let (hidden, secrets) = CassetteRedaction.standard.hidden(new)
            if let secrets = known.add(secrets) {
                for index in exchanges.indices where texts[index].mayContain(secrets) {
                    exchanges[index] = exchanges[index].without(secrets)
                }
            }
            exchanges.append(CassetteRedaction.standard.hidden(hidden, without: known))
            texts.append(RecordedTexts(of: exchanges[number]))
        }
        #expect(
            exchanges.dropLast().allSatisfy { !String(decoding: $0.response.payload, as: UTF8.self).contains("cursor") }
        )
        return ReaderCost.processorSeconds - start
    }

    private static func exchange(_ field: (name: String, value: String), _ payload: String, _ type: String) -> Exchange
    {
        let text = String(decoding: Array(payload.utf8), as: UTF8.self)
        return Exchange(
            input: Sample.input(
                "https://h.test/",
                .post(payload: Payload(.data(Data(text.utf8)), mediaType: MediaType(rawValue: type))),
                headers: HTTPHeaders([.init(name: field.name, value: field.value)])
            ),
            response: Response(
                statusCode: .ok,
                headers: HTTPHeaders([
                    .init(name: "Content-Type", value: type), .init(name: field.name, value: field.value),
                ]),
                payload: Data(text.utf8)
            ),
            recorded: Date(timeIntervalSince1970: 0)
        )
    }

    private static func redact(_ exchange: Exchange) {
        let (hidden, secrets) = CassetteRedaction.standard.hidden(exchange)
        var known = KnownSecrets()
        _ = known.add(secrets.union([Array("hunter2/secret".utf8), Array("aaaaaaaaaaaaaaaa9".utf8)]))
        _ = CassetteRedaction.standard.hidden(hidden, without: known)
    }

    /// Searches a text for secrets of the same beginning: as many lengths as a text of this size can have, and its half.
    private static func search(_ text: String) {
        let bytes = Array(text.utf8)
        let lengths = 8..<(8 + Int(Double(bytes.count).squareRoot()))
        var known = KnownSecrets()
        _ = known.add(Set(lengths.map { Array(bytes.prefix($0)) + [UInt8(ascii: "x")] }))
        _ = known.add([Array(bytes.prefix(bytes.count / 2))])
        _ = known.places(in: bytes, isCut: false)
    }

    private static let fieldNames = ["Set-Cookie", "Cookie", "Authorization", "X-Any", "WWW-Authenticate"]

    private static let readers: [ReaderCost] =
        [ReaderCost("secrets of one text in it", search)] + ofPayloads + ofFields + ofFiles

    private static let ofPayloads: [ReaderCost] =
        ["application/json", "application/x-www-form-urlencoded", "text/plain"].map { type in
            ReaderCost(
                "a payload of \(type)",
                words: ["\"a\":1,", "a=b&", "token=a&", "bearer+", "\\u0301\\u0316"],
                frames: ["", "{\"password\":\"•\"}", "{\"code\":\"•\"}", "password=", "bearer aaaaaaaa9•"]
            ) { text in
                redact(exchange(("X-Any", "a"), text, type))
                let inputs = (0..<2).map { _ in exchange(("X-Any", "a"), text, type).input }
                let payloads = inputs.map { ComparedPayload(of: $0) }
                _ = (payloads[0] == payloads[1], payloads[0].fits(payloads[1]), payloads[0].hashValue)
                _ = difference(between: inputs[0], and: inputs[1])
            }
        }

    private static let ofFields: [ReaderCost] =
        fieldNames.map { name in
            ReaderCost("\(name) of an exchange", words: ["a=b;", "a=b; ", "Bearer ", "a=\"", "token=a "]) { text in
                redact(exchange((name, text), "", "text/plain"))
                let inputs = (0..<2).map { _ in exchange((name, text + ""), "", "text/plain").input }
                _ = difference(between: inputs[0], and: inputs[1])
            }
        }

    private static let cassette = "{\"version\":2,\"exchanges\":["

    private static let entry = #"{"request":{"method":"GET","url":"https://h/"},"response":{"status":200}}"#
    private static let fields =
        #"{"log":{"entries":[{"request":{"method":"GET","url":"https://h/","headers":[•{}]},"response":{"status":200}}]}}"#

    private static let codings = [
        #"{"text":"a","encoding":"•"},"headers":[]"#, #"{"text":"ä"},"headers":[\#(charset)]"#,
    ]
    .map {
        #"{"log":{"entries":[{"request":{"method":"GET","url":"https://h/"},"response":{"status":200,"content":\#($0)}}]}}"#
    }
    private static let charset = #"{"name":"Content-Type","value":"text/plain; charset=•"}"#

    private static let ofFiles: [ReaderCost] = [
        ReaderCost(
            "a HAR",
            words: ["{},", "[", "\(entry),", #"{"name":"A","value":"b"},"#],
            frames: ["{\"log\":{\"entries\":[•{}]}}", fields] + codings
        ) {
            _ = try? Cassette(reading: Data($0.utf8))
        },
        ReaderCost("a cassette", words: ["{\"version\":2,", "[", "\"a\","], frames: ["", cassette]) {
            _ = try? Cassette(reading: Data($0.utf8))
        },
        ReaderCost("a request over HTTP/1.1", words: ["a: b\r\n", "\r\n"], frames: ["", "GET / HTTP/1.1\r\n"]) {
            var parser = HTTP1RequestParser()
            parser.append(Array($0.utf8))
            _ = parser.next()
        },
    ]
}
