import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallForms
import StartSmallTesting
import TestSupport
import Testing

/// A property of everything that is shown: no character of a message ends a line, moves the cursor, or reorders text.
struct ControlCharacterTests {
    /// C0 and C1 controls, DEL, line and paragraph separators, and controls of the direction of text.
    private static let controls: [Unicode.Scalar] =
        ([0...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x200E...0x200F, 0x2028...0x2029] as [ClosedRange])
        .flatMap { $0.compactMap(Unicode.Scalar.init) } + ["\u{61C}"]

    /// The characters as numbers, since a test prints its arguments.
    private static let codes = controls.map(\.value)

    private static func controls(in text: String) -> [Unicode.Scalar] {
        let all = Set(controls)
        return text.unicodeScalars.filter { all.contains($0) }
    }

    /// A text with a control, and what could then be a line of a log.
    private static func text(_ code: UInt32) -> String {
        let control = Unicode.Scalar(code).map(String.init) ?? ""
        return "a\(control)#7 ← 200 OK\(control)é"
    }

    /// The inputs that contain a text, each in another place.
    private static func inputs(_ text: String) throws -> [Input] {
        let data = Data(text.utf8)
        // The path of a file has no NUL.
        let file = URL(filePath: "/tmp/\(text.replacing("\0", with: "0"))")
        let form = MultipartForm(
            [.text(text, text), .data("b", data, fileName: text, mediaType: .text)],
            boundary: "b"
        )
        let payloads: [Payload] = [
            Payload(.data(data), mediaType: nil), Payload(.data(data), mediaType: .text),
            Payload(.data(data), mediaType: MediaType(rawValue: text)), Payload(.data(data), mediaType: .json),
            Payload(.data(Data("a=\(text)".utf8)), mediaType: .form),
            Payload(.multipart(form), mediaType: form.mediaType),
            Payload(.file(file), mediaType: MediaType(rawValue: text)),
            Payload(.data(try JSONEncoder().encode([text])), mediaType: .json),
        ]
        return payloads.map { Input(url: Fixture.url, methodAndPayload: .post(payload: $0)) } + [
            Input(url: Fixture.url, queries: [URLQueryItem(name: text, value: text)]),
            Input(url: Fixture.url, headers: HTTPHeaders([HTTPHeaders.Field(name: "X-A", value: text)])),
            Input(url: Fixture.url, headers: HTTPHeaders([HTTPHeaders.Field(name: text, value: text)])),
            Input(url: Fixture.url, methodAndPayload: .custom(method: text, payload: nil)),
            Input(url: Fixture.url.appending(path: text), delivery: .file(file)),
        ]
    }

    private static func outputs(_ text: String) -> [Output] {
        let cause = ConnectionError.Cause(domain: text, code: 1, text: text)
        let headers = HTTPHeaders([HTTPHeaders.Field(name: "X-A", value: text), .init(name: text, value: text)])
        let response = Response(statusCode: .ok, headers: headers, payload: Data(text.utf8), trailers: headers)
        let errors: [ConnectionError] = [
            .connectionLost(cause), .malformedURL(debugInfo: text), .requestRefused(reason: text),
            .rejected(response, reason: text), .noDataOrNoResponse(debugInfo: text),
        ]
        return [.hasResponse(response)] + errors.map(Output.noResponse)
    }

    private static func dumped(_ value: Any) -> String {
        var text = ""
        dump(value, to: &text)
        return text.replacing("\n", with: " ")
    }

    @Test(
        "no description, mirror or command contains a control character of a request",
        arguments: isExhaustive ? codes : Array(codes.prefix(20))
    )
    func requests(_ code: UInt32) throws {
        for redaction in [Redaction.standard, .none] {
            for input in try Self.inputs(Self.text(code)) {
                let views = [
                    input.curlCommand(redacting: redaction), input.description(redacting: redaction),
                    "\(input.headers)",
                    Self.dumped(input),
                ]
                for view in views { #expect(Self.controls(in: view) == [], "\(view.debugDescription)") }
            }
        }
    }

    @Test("no description or mirror contains a control character of a response or an error", arguments: codes)
    func responses(_ code: UInt32) {
        let text = Self.text(code)
        for output in Self.outputs(text) {
            var views = ["\(output)", Self.dumped(output)]
            if let error = output.connectionError { views += ["\(error)", Self.dumped(error)] }
            if let response = output.response {
                let error = TransformError<Never>.malformedData(response, debugInfo: text)
                views += ["\(error)", Self.dumped(error), response.description(redacting: .none)]
            }
            for view in views { #expect(Self.controls(in: view) == [], "\(view.debugDescription)") }
        }
    }

    @Test(
        "no log has a control character of a message, and each has as many lines as for a harmless message",
        arguments: isExhaustive ? codes : Array(codes.prefix(20))
    )
    func logs(_ code: UInt32) async throws {
        let details: [LogVerbosity] = [.line, .curl, .headers, .payloads]
        for detail in details {
            let (lines, harmless) = (Recorder<String>(), Recorder<String>())
            for (text, log) in [(Self.text(code), lines), (Self.text(0x2D), harmless)] {
                let outputs = Self.outputs(text)
                let server = Connector.stub(sequence: outputs)
                let inputs = try Self.inputs(text)
                let connector = server.wrapped(by: .log(detail, clock: ManualClock()) { log.append($0) })
                for index in 0..<max(inputs.count, outputs.count) {
                    _ = await WebAPI.call(with: inputs[min(index, inputs.count - 1)], via: connector)
                }
            }
            try #require(lines.elements.count == harmless.elements.count)
            for (line, other) in zip(lines.elements, harmless.elements) {
                let shown = line.debugDescription
                #expect(line.split(separator: "\n").count == other.split(separator: "\n").count, "\(shown)")
                #expect(Self.controls(in: line).allSatisfy { $0 == "\n" }, "\(shown)")
            }
        }
    }
}
