import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallForms
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

/// A property of generated messages: the value of a secret name is in no log, description or command, however the
/// message is nested.
@Suite struct PlantedSecretTests {
    /// Secrets with and without characters that each encoding escapes.
    private static let secrets = ["hunter2planted", "hunter2/pl+n%ted"]

    /// Texts that contain a secret under its name.
    private static func leaves(_ secret: String) -> [String] {
        let json = jsonString(secret)
        let item = URIEncoding.encoded(secret)
        return [
            #"{"token":\#(json)}"#, #"{"a":[{"b":{"password":\#(json)}}],"c":1}"#, #"{"token":"x","token":\#(json)}"#,
            #"{"token":["x",\#(json)"#, #"{"token":\#(json.dropLast())"#,
            "token=\(item)&a=1", "https://h/?a=1&access_token=\(item)#top", "https://me:\(item)@h/",
            "/path;jsessionid=\(item)", "hello token=\(item)", "first line\npassword = \(item)", "a,token=\(item),b",
            "(token=\(item))", "say token=\"\(item)\" twice",
        ]
    }

    /// Encodings of one text inside another.
    private static let wraps: [@Sendable (String) -> String] = [
        { #"{"note":\#(jsonString($0)),"a":1}"# }, { #"[1,\#(jsonString($0))]"# }, { "q=\(URIEncoding.encoded($0))" },
        { "https://h/cb?a=1&next=\(URIEncoding.encoded($0))&b=2" }, { "callback(\(jsonString($0)));" },
        { "event: a\ndata: \($0.replacingOccurrences(of: "\n", with: " "))\n\n" },
    ]

    private static func jsonString(_ text: String) -> String {
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static let texts: [String] = secrets.flatMap { secret in
        let leaves = leaves(secret)
        let once = leaves.flatMap { leaf in wraps.map { $0(leaf) } }
        // A subset, to keep the test short; it includes each leaf and each pair of encodings.
        let pairs = wraps.indices.flatMap { outer in wraps.indices.map { (outer, $0) } }
        let twice = leaves.enumerated().flatMap { number, leaf in
            pairs.enumerated().filter { ($0.offset + number) % leaves.count % 5 == 0 }
                .map { wraps[$0.element.0](wraps[$0.element.1](leaf)) }
        }
        return leaves + once + twice
    }

    /// Whether a text is tested at a place: each is, or, to keep the test short, one in twenty.
    private static func isTested(_ text: String, at place: Int) -> Bool {
        isExhaustive || (text.utf8.count + place).isMultiple(of: 20)
    }

    /// The requests that contain a text, each in another place.
    private static func inputs(_ text: String) -> [Input] {
        let oneLine = text.replacingOccurrences(of: "\n", with: " ")
        let part = MultipartForm.Part.text("note", text)
        let form = MultipartForm([part], boundary: "b")
        let bytes = Data("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\(text)\r\n--b--\r\n".utf8)
        let payloads: [Payload] = [
            Payload(.data(Data(text.utf8)), mediaType: .text), Payload(.data(Data(text.utf8)), mediaType: nil),
            Payload(.data(Data("a=1&payload=\(URIEncoding.encoded(text))".utf8)), mediaType: .form),
            Payload(.multipart(form), mediaType: form.mediaType),
            Payload(.data(bytes), mediaType: "multipart/form-data; boundary=b"),
        ]
        return payloads.map { Sample.input("https://a/", .post(payload: $0)) } + [
            Sample.input("https://a/?filter=\(URIEncoding.encoded(text))"),
            Sample.input("https://a/", headers: ["X-Data": oneLine]),
        ]
    }

    private struct Note: ReportedEvent, CustomStringConvertible {
        var name: String { "note" }
        var description: String
    }

    @Test("a planted secret is in no log, description, command or timeline")
    func shown() async {
        for text in Self.texts {
            for (place, input) in Self.inputs(text).enumerated() where Self.isTested(text, at: place) {
                let lines = Recorder<String>()
                let stub = Connector.stub { _ in .text(text) }
                let timelines = Recorder<Timeline>()
                let note = Wrapper { input, next in
                    next.report(Note(description: text))
                    return await next(input)
                }
                let connector = stub.wrapped(
                    by: .log(.payloads(limit: .max)) { (line: String) in lines.append(line) },
                    .listen(to: .timeline(show: timelines.append)),
                    note
                )
                let output = await WebAPI.call(with: input, via: connector)
                let timeline = timelines.elements.flatMap { [$0.title, $0.outcome, $0.svg] + $0.parts.map(\.label) }
                #expect(timeline.count == 4)
                let views =
                    lines.elements + timeline + ["\(input)", "\(output)", input.curlCommand(), "\(input.headers)"]
                for view in views { #expect(!view.contains("hunter2"), "place \(place): \(text)\n\(view)") }
            }
            let error = ConnectionError.malformedURL(debugInfo: text)
            let timelines = Recorder<Timeline>()
            let broken = Connector.stub(.noResponse(error)).wrapped(by: .listen(to: .timeline(show: timelines.append)))
            _ = await WebAPI.call(with: Fixture.input, via: broken)
            let views = ["\(error)"] + timelines.elements.flatMap { [$0.outcome, $0.svg] }
            #expect(views.count == 3)
            for view in views { #expect(!view.contains("hunter2"), "\(text)\n\(view)") }
        }
    }

    @Test("no fragment of a form's secret is shown, wherever a log cuts the form")
    func cut() {
        let part = "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhunter2\r\n"
        let text = part + part + "--b--\r\n"
        for limit in 0...text.utf8.count {
            let shown = Redaction.standard.shown(
                payload: Data(text.utf8),
                mediaType: "multipart/form-data; boundary=b",
                limit: limit
            )
            #expect(!shown.contains("hun"), "\(limit): \(shown)")
        }
    }
}
