import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallDownloads
@testable import StartSmallJSON
@testable import StartSmallForms
@testable import StartSmallStreams
@testable import StartSmallSupport

extension Target {
    /// The parsers and writers of payloads.
    static let payloads: [Target] = [problem, jsonReader, multipartName, multipartBoundary]

    private static let problem = Target(
        name: "problem-details",
        words: [
            "{", "}", "[", "]", "\"type\":", "\"status\":", "\"title\":\"a\"", "\"x\":", ",", "1e400", "-0", "1.5",
            "null", "true", "\\ud83d", "1,", "1.5,", "\"a\",", "true,", "[],", "{\"a\":1},", "\"c\":1,", "1e400,",
            nested("[", "", "]") + ",", nested("{\"a\":", "1", "}") + ",", nested("[{\"a\":", "1", "}]") + ",",
        ],
        starts: [
            "{\"title\":\"•\"}", "{\"title\":\"a\",\"x\":[•0]}", "{\"title\":\"a\",\"x\":{•\"b\":0}}", "{\"•\":1}",
            "{\"title\":\"a\",\"x\":[[[[[[[[[[[[[[[[•0]]]]]]]]]]]]]]]]}",
        ],
        read: { _ = refused(Data($0)) },
        check: { bytes in
            let data = Data(bytes)
            let decoded = try? JSONDecoder().decode(ProblemDetails.self, from: data)
            guard let problem = refused(data) else {
                // Foundation reads a member only on request, and ignores what follows an error there.
                let isJSON = (try? JSONTape(anyEncoding: data)) != nil
                try promise(
                    "a decoder refuses what the kit refuses",
                    decoded == nil || !isJSON || hasLongRunOfMarks(data)
                )
                return false
            }
            // A decoder does not report the digits of a number that is too large for Double.
            var reported = problem
            reported.extensions = problem.extensions.filter { !isTooLarge($0.value) }
            try promise("a decoder agrees", decoded.map { isSame($0, reported) } ?? isDeep(data))
            try promise("a description has one line", isOneLine("\(problem)"))
            let read = try JSONDecoder().decode(ProblemDetails.self, from: JSONEncoder().encode(problem))
            try promise("a written problem is read unchanged", isSame(read, problem))
            return true
        }
    )

    /// Returns a value of the maximum depth, less that of the enclosing value.
    private static func nested(_ start: String, _ inner: String, _ end: String) -> String {
        let count = (JSONValue.maximumDepth - 4) / start.count { "[{".contains($0) }
        return String(repeating: start, count: count) + inner + String(repeating: end, count: count)
    }

    /// Whether a value contains a number that is too large for `Double`.
    private static func isTooLarge(_ value: JSONValue) -> Bool {
        switch value {
        case .decimalString: true
        case .array(let elements): elements.contains(where: isTooLarge)
        case .object(let members): members.values.contains(where: isTooLarge)
        default: false
        }
    }

    private static func refused(_ payload: Data) -> ProblemDetails? {
        Response(statusCode: .conflict, payload: payload).data(problem: ProblemDetails.self).left?.problem
    }

    private static func isSame(_ decoded: ProblemDetails, _ problem: ProblemDetails) -> Bool {
        var (decodedRest, rest) = (decoded, problem)
        decodedRest.extensions = [:]
        rest.extensions = [:]
        return decodedRest == rest && isSame(.object(decoded.extensions), .object(problem.extensions))
    }

    private static let jsonReader = Target(
        name: "json-reader",
        words: [
            "{", "}", "[", "]", "\"a\"", ":", ",", "1.5e-3", "-0", "true", "null", "\\u00e9", "\\n", "\u{FEFF}",
            "1e400",
            "\\ud83d\\ude00", "\"a\":1,", "9007199254740993", ".0",
        ],
        starts: ["\"", "{\"a\":", "[", "{\"a"],
        read: { _ = JSONTape.offsetOfError(in: Data($0)) },
        check: { bytes in
            let data = Data(bytes)
            let offset = JSONTape.offsetOfError(in: data)
            try promise("the offset of an error is in the text", (0...bytes.count).contains(offset ?? 0))
            let isTaken = (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
            // Foundation accepts a comma after the last member or element, too.
            let isEnd = offset.map { $0 < bytes.count && "]}".utf8.contains(bytes[$0]) } ?? false
            try promise("the kit accepts what Foundation does", !isTaken || offset == nil || isEnd || !isUTF8(bytes))
            let value = try? JSONValue(json: data)
            let decoded = try? JSONDecoder().decode(JSONValue.self, from: data)
            if let value {
                try promise("a decoder agrees", decoded.map { isSame($0, value) } ?? isTooLarge(value))
            } else {
                // Foundation ignores errors in members that it does not read, such as the second one with a name.
                try promise(
                    "a decoder refuses JSON that the kit refuses",
                    decoded == nil || offset != nil || !isUTF8(bytes) || hasLongRunOfMarks(data)
                )
            }
            if let offset, offset < bytes.count {
                try promise(
                    "bytes after an error do not matter",
                    JSONTape.offsetOfError(in: data[...offset]) == offset
                )
            }
            return offset == nil
        }
    )

    /// From 2⁵³ on, a decoder reads a number with a point or an exponent as an integer, and may drop a fraction.
    private static func isSame(_ decoded: JSONValue, _ value: JSONValue) -> Bool {
        switch (decoded, value) {
        case (.integer(let integer), .number(let number)):
            number.magnitude >= 0x1p53 && (Double(integer) - number).magnitude <= number.magnitude * 0x1p-51
        case (.string(let text), .decimalString(let digits)):
            // The decimal text was encoded as a string.
            text == digits
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { name, value in right[name].map { isSame(value, $0) } ?? false }
        default: decoded == value
        }
    }

    /// Returns whether a name may have more marks in a row than the limit of the kit's reader.
    private static func hasLongRunOfMarks(_ data: Data) -> Bool {
        CombiningMarks.hasLongRun(json: String(decoding: data, as: UTF8.self))
    }

    /// Returns whether the value may be nested deeper than Foundation reads, which is 512 levels.
    private static func isDeep(_ data: Data) -> Bool {
        data.count { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") } > 512
    }

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
            // Browsers write a backslash unchanged, and readers by RFC 6266 interpret it as an escape.
            guard (try? part.check()) != nil, !text.utf8.contains(UInt8(ascii: "\\")) else { return false }
            let lines = String(decoding: part.head, as: UTF8.self).components(separatedBy: "\r\n")
            try promise("a head has two lines and an empty one", lines.count == 4 && lines[2...].allSatisfy(\.isEmpty))
            let prefix = "Content-Disposition: form-data; name=\""
            try promise("a head begins with the name", lines[0].utf8.starts(with: prefix.utf8))
            let pieces = lines[0].utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            try promise("the only quotes are those of the two names", pieces.count == 5)
            return true
        }
    )

    private static func part(named name: String) -> MultipartForm.Part {
        MultipartForm.Part.data(name, Data(), fileName: name)
    }

    /// The target of boundaries: a boundary in the first line, and the content of a part in the others.
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
                try promise("a delimiter is found with any cuts", finds == holds)
            }
            guard (try? form.pieces()) != nil else { return false }
            try promise("no part contains the boundary", !holds)
            try promise("the boundary is read unchanged", form.mediaType.parameter("boundary") == form.boundary)
            return true
        }
    )

    private static func form(_ bytes: [UInt8]) -> MultipartForm {
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        let part = MultipartForm.Part.data("x", Data(bytes[end...].dropFirst()))
        return MultipartForm([part], boundary: String(decoding: bytes[..<end], as: UTF8.self))
    }
}
