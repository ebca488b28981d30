import Foundation
import StartSmall
import Testing

struct MediaTypeTests {
    @Test("the text of a media type is kept as it is", arguments: ["", "TEXT/Plain;charset=\"utf-8\"", "x"])
    func text(_ text: String) {
        #expect(MediaType(rawValue: text).rawValue == text)
        #expect(MediaType(rawValue: text).description == text)
    }

    @Test("equality is that of texts")
    func equality() {
        #expect(MediaType.json == "application/json")
        #expect(MediaType.json != "application/JSON")
    }

    @Test(
        "a file's name says its media type, in any case",
        arguments: [
            ("a.png", "image/png"), ("a.b.JPG", "image/jpeg"), ("a.json", "application/json"),
            ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("a.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
            ("a.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
            ("a.tar", "application/x-tar"), ("a.tar.gz", "application/gzip"), ("a.jsonl", "application/jsonl"),
            ("a.wav", "audio/wav"), ("a.webm", "video/webm"), ("a.ogg", "audio/ogg"), ("a.bmp", "image/bmp"),
            ("a.ico", "image/vnd.microsoft.icon"), ("a.tif", "image/tiff"), ("a.TIFF", "image/tiff"),
            ("a.tsv", "text/tab-separated-values"), ("a.ics", "text/calendar"),
            ("a.unknown", "application/octet-stream"),
            ("png", "application/octet-stream"), (".png", "application/octet-stream"),
            ("a.", "application/octet-stream"),
            ("日本.txt", "text/plain"),
        ]
    )
    func files(_ name: String, _ mediaType: String) {
        #expect(MediaType.ofFile(at: URL(fileURLWithPath: "/tmp/\(name)")).rawValue == mediaType)
    }

    @Test("the table has small extensions and types with one slash")
    func table() {
        for (name, mediaType) in MediaType.byFileExtension {
            #expect(name == name.lowercased())
            #expect(mediaType.rawValue.split(separator: "/").count == 2)
        }
    }
}
