import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting
import Testing

/// A HAR for a test, in a folder that is removed when the test ends, and its content as any other program reads it.
final class HARTestFile: Sendable {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallHAR-\(UUID())")

    var url: URL { folder.appending(path: "app.har") }
    var previous: URL { folder.appending(path: "app.previous.har") }

    var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "" }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func write(_ data: Data) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: url)
    }

    /// The entries of a file, which must be a whole HAR.
    func entries(of file: URL? = nil) throws -> [HARTestEntry] {
        let har = try JSONSerialization.jsonObject(with: Data(contentsOf: file ?? url))
        let log = try #require((har as? [String: Any])?["log"] as? [String: Any])
        #expect(log["version"] as? String == "1.2")
        let creator = try #require(log["creator"] as? [String: String])
        #expect(creator["name"] == "StartSmall" && creator["version"] != nil)
        return try #require(log["entries"] as? [[String: Any]]).map { HARTestEntry(fields: $0) }
    }

    /// Sends requests, one after the other, through a connector with a HAR.
    func record(_ inputs: [Input], limits: HARLimits = HARLimits(), via connector: Connector) async {
        let recording = connector.wrapped(by: .har(to: url, limits: limits))
        for input in inputs { _ = await WebAPI.call(with: input, via: recording) }
    }
}

/// An entry as JSON, whose values are found by paths such as `response.content.size`.
struct HARTestEntry {
    let fields: [String: Any]

    subscript(path: String) -> Any? {
        path.split(separator: ".").reduce(fields as Any?) { ($0 as? [String: Any])?[String($1)] }
    }

    func text(_ path: String) -> String? { self[path] as? String }
    func number(_ path: String) -> Double? { (self[path] as? NSNumber)?.doubleValue }

    /// The names and values of an array of pairs.
    func pairs(_ path: String) -> [String] {
        (self[path] as? [[String: String]] ?? []).map { "\($0["name"] ?? "?")=\($0["value"] ?? "?")" }
    }

    var status: Int? { number("response.status").map { Int($0) } }

    /// The fields that HAR 1.2 requires, and whether each is a text, a number or a list of pairs.
    private static let required: [(path: String, kind: Kind)] = [
        ("startedDateTime", .text), ("time", .time), ("request.method", .text), ("request.url", .text),
        ("request.httpVersion", .text), ("request.cookies", .pairs), ("request.headers", .pairs),
        ("request.queryString", .pairs), ("request.headersSize", .number), ("request.bodySize", .number),
        ("response.status", .time), ("response.statusText", .text), ("response.httpVersion", .text),
        ("response.cookies", .pairs), ("response.headers", .pairs), ("response.content.size", .time),
        ("response.content.mimeType", .text), ("response.redirectURL", .text), ("response.headersSize", .number),
        ("response.bodySize", .number), ("cache", .object), ("timings.blocked", .number), ("timings.dns", .number),
        ("timings.connect", .number), ("timings.ssl", .number), ("timings.send", .time), ("timings.wait", .time),
        ("timings.receive", .time),
    ]

    private enum Kind { case text, number, time, pairs, object }

    /// Expects all required fields, a date with milliseconds and a zone, and a time that is the sum of the phases.
    func expectAllFields() throws {
        for (path, kind) in Self.required {
            let isThere =
                switch kind {
                case .text: text(path) != nil
                case .number: number(path).map { $0 >= -1 } == true
                case .time: number(path).map { $0 >= 0 } == true
                case .pairs:
                    (self[path] as? [[String: String]])?.allSatisfy { $0.keys.sorted() == ["name", "value"] } == true
                case .object: self[path] is [String: Any]
                }
            #expect(isThere, "\(path): \(self[path] ?? "none")")
        }
        let date = try #require(text("startedDateTime"))
        #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(date)")
        let phases = ["blocked", "dns", "connect", "send", "wait", "receive"].compactMap { number("timings.\($0)") }
        let sum = phases.reduce(0) { $0 + max(0, $1) }
        let time = try #require(number("time"))
        #expect(abs(sum - time) < 0.000_1, "\(sum) \(time)")
        #expect(number("timings.ssl") ?? 0 <= max(0, number("timings.connect") ?? 0))
    }
}
