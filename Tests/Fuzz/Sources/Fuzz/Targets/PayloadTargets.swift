import Foundation

@testable import StartSmall

extension Target {
    /// What payloads are made of.
    static let payloads: [Target] = [problem, jsonSyntax, multipartName, multipartBoundary]

    private static let problem = Target(
        name: "problem-details",
        words: [
            "{", "}", "[", "]", "\"type\":", "\"status\":", "\"title\":\"a\"", "\"x\":", ",", "1e400", "-0", "1.5",
            "null", "true", "\\ud83d", "1,", "1.5,", "\"a\",", "true,", "[],", "{\"a\":1},", "\"c\":1,",
        ],
        starts: ["{\"title\":\"•\"}", "{\"title\":\"a\",\"x\":[•0]}", "{\"title\":\"a\",\"x\":{•\"b\":0}}"],
        read: { _ = try? JSONDecoder().decode(ProblemDetails.self, from: Data($0)) },
        check: { bytes in
            guard let problem = try? JSONDecoder().decode(ProblemDetails.self, from: Data(bytes)) else { return false }
            try promise("a description has one line", isOneLine("\(problem)"))
            let written = try JSONEncoder().encode(problem)
            let read = try JSONDecoder().decode(ProblemDetails.self, from: written)
            try promise("a written problem is read as it was", read == problem)
            return true
        },
        // It is Foundation's time. Told the types, its decoder takes 160 ms for a megabyte of `1,`, 100 of `[],` and 270 of
        // `{"a":1},`; not told, as `JSONValue` is not, it makes an error of 0.4 µs of each guess that is wrong, of which
        // there are four for a `[]`: 700 ms of `[],`. All of it is linear.
        mostMilliseconds: 1_500
    )

    private static let jsonSyntax = Target(
        name: "json-syntax",
        words: ["{", "}", "[", "]", "\"a\"", ":", ",", "1.5e-3", "-0", "true", "null", "\\u00e9", "\\n", "\u{FEFF}"],
        starts: ["\"", "{\"a\":", "["],
        read: { _ = JSONReader.offsetOfError(in: Data($0)) },
        check: { bytes in
            let data = Data(bytes)
            let offset = JSONReader.offsetOfError(in: data)
            try promise("an error is somewhere", (0...bytes.count).contains(offset ?? 0))
            let isTaken = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            // It takes a comma behind the last member or element, too.
            let isEnd = offset.map { $0 < bytes.count && "]}".utf8.contains(bytes[$0]) } ?? false
            try promise("what Foundation takes is right", !isTaken || offset == nil || isEnd || !isUTF8(bytes))
            if let offset, offset < bytes.count {
                try promise(
                    "what is behind an error says nothing",
                    JSONReader.offsetOfError(in: data[...offset]) == offset
                )
            }
            return offset == nil
        }
    )

    /// Foundation guesses other encodings from zeros and marks at the start.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
    }

    private static let multipartName = text(
        "multipart-name",
        words: ["\"", "\r\n", "%22", "; filename=\"x", "\r\n\r\n", "é", "--", "Content-Type"],
        starts: ["\""],
        read: { text in
            _ = MultipartForm.Part.text(text, "").head
        },
        check: { text in
            let part = part(named: text)
            // Browsers write a backslash as it is, and those who read by RFC 6266 take it for an escape.
            guard (try? part.check()) != nil, !text.utf8.contains(UInt8(ascii: "\\")) else { return false }
            let lines = String(decoding: part.head, as: UTF8.self).components(separatedBy: "\r\n")
            try promise("a head has two lines and an empty one", lines.count == 4 && lines[2...].allSatisfy(\.isEmpty))
            let prefix = "Content-Disposition: form-data; name=\""
            try promise("a head begins with the name", lines[0].utf8.starts(with: prefix.utf8))
            let pieces = lines[0].utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            try promise("quotes are those of the two names", pieces.count == 5)
            let read = ContentDisposition(String(lines[0].dropFirst("Content-Disposition: ".utf8.count)))
            try promise(
                "the extended name is read as it was",
                read?["filename*"].map { Array($0.utf8) } == Array(text.utf8)
            )
            return true
        }
    )

    private static func part(named name: String) -> MultipartForm.Part {
        MultipartForm.Part.data(name, Data(), fileName: name).addingExtendedFileName()
    }

    /// A boundary in the first line, and what a part holds in the others.
    private static let multipartBoundary = Target(
        name: "multipart-boundary",
        words: ["a", "--a", "\r\n--a", "--", "\n", "-", "aaaa", " ", "\"", "(),/:=?"],
        starts: ["a\n", "aaaaaaab\n"],
        read: { _ = try? form($0).pieces() },
        check: { bytes in
            let form = form(bytes)
            guard case .data(let content)? = form.parts.first?.content else { return false }
            let delimiter = Data(form.delimiter.utf8)
            let holds = content.firstRange(of: delimiter) != nil
            for size in [1, 2, 3, 7, 64, max(1, content.count)] {
                var scanner = DelimiterScanner(delimiter)
                var finds = false
                for start in stride(from: 0, to: content.count, by: size) {
                    if scanner.finds(in: content[start..<min(content.count, start + size)]) { finds = true }
                }
                try promise("a delimiter is found wherever it is cut", finds == holds)
            }
            guard (try? form.pieces()) != nil else { return false }
            try promise("no part holds the boundary", !holds)
            try promise("the boundary is read as it was", form.mediaType.parameter("boundary") == form.boundary)
            return true
        }
    )

    private static func form(_ bytes: [UInt8]) -> MultipartForm {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let part = MultipartForm.Part.data("x", Data(bytes[end...].dropFirst()))
        return MultipartForm([part], boundary: String(decoding: bytes[..<end], as: UTF8.self))
    }
}
