import Foundation
import StartSmall
import Testing

struct MediaTypeTests {
    @Test("the text of a media type is kept unchanged", arguments: ["", "TEXT/Plain;charset=\"utf-8\"", "x"])
    func text(_ text: String) {
        #expect(MediaType(rawValue: text).rawValue == text)
        #expect(MediaType(rawValue: text).description == text)
    }

    @Test("media types are equal if their texts are equal")
    func equality() {
        #expect(MediaType.json == "application/json")
        #expect(MediaType.json != "application/JSON")
    }

    @Test(
        "the extension of a file determines its media type, in any case",
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

    @Test("the table has lower-case extensions, and types with one slash")
    func table() {
        for (name, mediaType) in MediaType.byFileExtension {
            #expect(name == name.lowercased())
            #expect(mediaType.rawValue.split(separator: "/").count == 2)
        }
    }
}
