import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallDownloads
@testable import StartSmallStreams
@testable import StartSmallSupport
@testable import StartSmallURLSession
import StartSmallDiagnostics
import StartSmallMetrics

extension Target {
    /// The parsers of header field values.
    static let headers = [link, mediaType, disposition, fileName, traceparent, setCookies, requestID, serverTiming]

    private static let link = text(
        "link-header",
        words: [
            "</a>", "<https://h/?p=2>", "; rel=next", "; rel=\"next prev\"", "; title*=UTF-8''%e2%82%ac", "; ", ", ",
            "\\\"",
        ],
        starts: ["</>; title*=\"UTF-8''", "</>; title*=\"", "</>; rel=\"", "</>;", "</>; a=\"", "<"],
        read: { text in
            for link in links(text) { _ = (link["rel"], link.isOf("next"), link["hreflang"], link == other) }
        },
        check: { text in
            let found = links(text)
            for link in found {
                try promise("a description has one line", isOneLine(link.description))
                _ = (link.relations, link.title, link["type"], link.target(from: page))
            }
            try promise("written links are read unchanged", links(written(found)) == found)
            return !found.isEmpty
        }
    )

    private static let requestID = text(
        "request-id",
        words: ["req_", "-SJC", "a1b2", "é", " ", "\"", ",", "\u{1B}[31m", String(repeating: "a", count: 64)],
        read: {
            _ = Response(statusCode: .ok, headers: HTTPHeaders([.init(name: "x-request-id", value: $0)])).requestID
        },
        check: { text in
            let response = Response(statusCode: .ok, headers: HTTPHeaders([.init(name: "x-request-id", value: text)]))
            guard let id = response.requestID else { return false }
            try promise("a request ID is a short token", id == text && id.utf8.count <= 128 && HTTPToken.isToken(id))
            try promise("a description has one line", isOneLine(response.description))
            return true
        }
    )

    private static let serverTiming = text(
        "server-timing",
        words: ["db", ";dur=", "53", "47.2", "1e9", ";desc=\"a, \\\"b\"", "; ", ", ", "="],
        read: {
            _ = Response(statusCode: .ok, headers: HTTPHeaders([.init(name: "Server-Timing", value: $0)])).serverTimings
        },
        check: { text in
            let headers = HTTPHeaders([.init(name: "Server-Timing", value: text)])
            let timings = Response(statusCode: .ok, headers: headers).serverTimings
            let isValid = timings.allSatisfy { HTTPToken.isToken($0.name) && ($0.duration ?? .zero) >= .zero }
            try promise("a part has a name and no negative duration", isValid && timings.count <= 64)
            return !timings.isEmpty
        }
    )

    private static let page = URL(filePath: "/page")

    private static let other = WebLink(to: "/")

    private static func links(_ text: String) -> [WebLink] {
        Response(statusCode: .ok, headers: ["Link": text]).links
    }

    private static func written(_ links: [WebLink]) -> String {
        links.map { link in
            let parameters = link.parameters.map { parameter in
                let value =
                    parameter.name.hasSuffix("*") ? "UTF-8''" + URIEncoding.encoded(parameter.value) : parameter.value
                return ";\(parameter.name)=\(quoted(value))"
            }
            return "<\(link.reference)>" + parameters.joined()
        }.joined(separator: ",")
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    private static let mediaType = text(
        "media-type",
        words: ["text/plain", "application/problem+json", ";charset=utf-8", "; a=\"b\\\"c\"", "*/*", ";q=0.5", "\\\""],
        starts: ["a/b;c=\"", "a/b;charset=\"•\"", "a/b;c=\"•\"", "a/b;c=", "a/b"],
        read: { text in
            let type = MediaType(rawValue: text)
            _ = (MediaType(rawValue: "*/*").contains(type), type.charset, type.readable, type == .json, Set([type]))
        },
        check: { text in
            let type = MediaType(rawValue: text)
            _ = (type.charset, type.isJSON)
            try promise("a readable type is a media type", type.readable == type || type.readable.essence != nil)
            guard let essence = type.essence else {
                try promise("an invalid media type has no parameters", type.parameters.isEmpty)
                return false
            }
            try promise("a type contains itself", type.contains(type))
            let changed = type.setting("fuzz", to: text)
            if HTTPToken.isFieldValue(text) {
                try promise("a set parameter is read unchanged", changed.parameter("fuzz") == text)
                try promise("the other parts stay", changed.essence == essence)
                try promise(
                    "other parameters stay",
                    changed.parameters.filter { $0.name != "fuzz" } == type.parameters.filter { $0.name != "fuzz" }
                )
            }
            return true
        }
    )

    private static let disposition = text(
        "content-disposition",
        words: [
            "attachment", "inline", "; filename=", "; filename*=UTF-8''", "\"a.txt\"", "../", "%2F", "iso-8859-1'en'",
            "NUL",
        ],
        starts: ["a;", "a;filename=\"", "a;filename*=utf-8''", "a;filename*="],
        read: { _ = ContentDisposition($0)?.safeFileName },
        check: { text in
            guard let disposition = ContentDisposition(text) else { return false }
            if let name = disposition.safeFileName { try checkSafe(name) }
            try promise("a type is lower-case", disposition.type == disposition.type.lowercased())
            return true
        }
    )

    private static let fileName = text(
        "file-name",
        words: ["../", "..\\", "nul", "COM1.txt", ".", "..", "\u{202E}", "\u{200D}", "a.tar.gz", "¹", "\u{2028}"],
        starts: ["nul", "a."],
        read: { _ = FilenameSanitizer.from($0) },
        check: { text in
            guard let name = FilenameSanitizer.from(text) else { return false }
            try checkSafe(name)
            return true
        }
    )

    private static func checkSafe(_ name: String) throws {
        try promise("a safe name stays unchanged", FilenameSanitizer.from(name) == name)
        try promise("a safe name is short", (1...FilenameSanitizer.longest).contains(name.utf8.count))
        try promise("a safe name is not a path", !name.utf8.contains { "/\\:\0".utf8.contains($0) })
        try promise("a safe name is not hidden", !name.hasPrefix(".") && isOneLine(name))
    }

    /// The target of trace contexts: `traceparent` in the first line, and `tracestate` in the others.
    private static let traceparent = text(
        "traceparent",
        words: [
            "00-", "4bf92f3577b34da6a3ce929d0e0e4736", "-00f067aa0ba902b7", "-01", "\na=b", ",c@d=e", "00000000", "ff",
        ],
        starts: ["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\n"],
        read: { text in _ = context(text) },
        check: { text in
            guard let found = context(text) else { return false }
            let again = TraceContext(traceparent: found.traceparent, tracestate: found.tracestate)
            try promise("a written context is read unchanged", again == found)
            try promise("no id is 0", found.traceID != 0 && found.spanID != 0)
            return true
        }
    )

    private static func context(_ text: String) -> TraceContext? {
        let end = text.utf8.firstIndex(of: UInt8(ascii: "\n")) ?? text.endIndex
        let tracestate = end < text.endIndex ? String(text.utf8[end...].dropFirst()) : nil
        return TraceContext(traceparent: String(text[..<end]), tracestate: tracestate)
    }

    private static let setCookies = text(
        "set-cookies",
        words: ["a=b", "; Expires=Wed, 09 Jun 2021 10:18:14 GMT", "; Path=/", ", c=d", ",", "="],
        starts: ["a=b,"],
        read: { _ = SetCookieList.split($0) },
        check: { text in
            func withoutBlanks(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0x20 && $0 != 0x09 } }
            let cookies = SetCookieList.split(text)
            let joined = cookies.joined(separator: ",")
            try promise("only blanks are lost", withoutBlanks(joined) == withoutBlanks(text))
            try promise("the number of cookies stays", SetCookieList.split(joined).count == cookies.count)
            return cookies.count > 1
        }
    )

    /// Returns whether nothing in a text begins a line, or moves the cursor.
    static func isOneLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
