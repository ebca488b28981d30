import Foundation
import StartSmall
import StartSmallForms
import TestSupport
import Testing

/// Forms are read by an independent parser, that of Werkzeug.
@Suite(
    "a parser of multipart forms",
    .enabled(if: Python.hasParser, "needs python3 with werkzeug: pip install werkzeug"),
    .timeLimit(.minutes(1))
)
struct MultipartParsersTests {
    /// A part as a parser reads it.
    struct Part: Codable, Hashable {
        var name: String
        var fileName: String?
        var mediaType: String?
        var content: Data
    }

    private static let all = Data(UInt8.min...UInt8.max) + Data("\r\n--XX\r\n\r\n--\r\n".utf8)

    @Test("texts, bytes and files of a form are read unchanged", .parity("D11"))
    func contents() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID()).png")
        let large = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try large.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let form: MultipartForm = [
            .text("title", "a\nb \r\n\r\né"), .text("title", ""), .data("raw", Self.all, fileName: "r.bin"),
            .data("empty", Data(), fileName: "e.txt", mediaType: .text), .file("cover", file, fileName: "c d.png"),
        ]
        let expected = [
            Part(name: "title", content: Data("a\nb \r\n\r\né".utf8)), Part(name: "title", content: Data()),
            Part(name: "raw", fileName: "r.bin", mediaType: "application/octet-stream", content: Self.all),
            Part(name: "empty", fileName: "e.txt", mediaType: "text/plain; charset=utf-8", content: Data()),
            Part(name: "cover", fileName: "c d.png", mediaType: "image/png", content: large),
        ]
        #expect(try parts(of: form) == expected)
    }

    @Test(
        "a name that is escaped as browsers do is read back, beyond ASCII too",
        arguments: ["a\"b", "é日本👩‍🚀", "a;b=c", "a b", "\"", "x\"; filename=\"y"]
    )
    func names(name: String) throws {
        let form: MultipartForm = [.data(name, Data([1]), fileName: name, mediaType: nil)]
        #expect(try parts(of: form) == [Part(name: name, fileName: name, content: Data([1]))])
    }

    private func parts(of form: MultipartForm) throws -> [Part] {
        let body = FileManager.default.temporaryDirectory.appending(path: "startsmall-\(UUID())")
        defer { try? FileManager.default.removeItem(at: body) }
        var bytes = Data()
        var reader = try PayloadSource(.multipart(form)).reader()
        while let next = try reader.next() { bytes += next }
        try bytes.write(to: body)
        let arguments = [form.mediaType.rawValue, body.path(percentEncoded: false)]
        return try JSONDecoder().decode([Part].self, from: Python.run(Self.script, arguments))
    }

    private static let script = """
        import base64, io, json, sys
        from werkzeug.formparser import parse_form_data
        body = open(sys.argv[2], "rb").read()
        _, texts, files = parse_form_data({
            "REQUEST_METHOD": "POST", "CONTENT_TYPE": sys.argv[1], "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
        }, silent=False)
        parts = [(name, None, None, text.encode()) for name, text in texts.items(multi=True)]
        parts += [(f.name, f.filename, f.headers.get("content-type"), f.read()) for f in files.values()]
        print(json.dumps([{
            "name": name, "fileName": file, "mediaType": kind, "content": base64.b64encode(content).decode(),
        } for name, file, kind, content in parts]))
        """
}

/// Python in a separate process.
private enum Python {
    /// Whether Python and the parser are installed.
    static let hasParser = (try? run("import werkzeug")) != nil

    /// The output of a script.
    static func run(_ script: String, _ arguments: [String] = []) throws -> Data {
        try Program.output(of: "python3", ["-c", script] + arguments)
    }
}
