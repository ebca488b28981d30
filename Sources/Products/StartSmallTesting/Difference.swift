public import StartSmallCore
import StartSmallDiagnostics
import StartSmallSupport
import Foundation

/// Returns a readable list of the differences between two inputs, one per line.
///
/// ```swift
/// #expect(difference(between: expected, and: sent) == nil)
/// ```
///
/// In XCTest, write `XCTAssertNil(difference(between: expected, and: sent))`: this module depends on neither framework.
/// Credentials are hidden, but a difference between credentials is listed. The order of query items does not count.
///
/// - Parameters:
///   - expected: the input on the left of each line.
///   - actual: the input on the right of each line.
///   - redaction: the rules that hide credentials in the list.
/// - Returns: the list; nil if there is no difference.
public func difference(
    between expected: Input,
    and actual: Input,
    redacting redaction: Redaction = .standard
) -> String? {
    let lines = differences(between: expected, and: actual, redacting: redaction).lines
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

/// The differences between two inputs, and a measure of the distance between them.
struct Differences {
    private(set) var lines: [String] = []
    private(set) var weight = 0

    fileprivate let redaction: Redaction

    init(redaction: Redaction = .standard) {
        self.redaction = redaction
    }

    fileprivate mutating func add(_ line: String, weight: Int = 1) {
        lines.append(line)
        self.weight += weight
    }

    fileprivate mutating func compare(_ name: String, _ expected: String, _ actual: String, weight: Int = 1) {
        if expected.isSame(as: actual) { return }
        let (left, right) = (redaction.shown(url: expected), redaction.shown(url: actual))
        add("\(name): \(left) → \(left == right ? "different" : right)", weight: weight)
    }

    /// Compares two lists regardless of their order, and adds each item that only one list has, or has more often.
    fileprivate mutating func compare(
        _ name: String,
        _ expected: [String],
        _ actual: [String],
        shown: (String) -> String
    ) {
        for item in Self.items(of: expected, without: actual) { add("\(name): − \(shown(item))") }
        for item in Self.items(of: actual, without: expected) { add("\(name): + \(shown(item))") }
    }

    /// Returns the items of a list, each as often as the list has more of it than the other list.
    private static func items(of list: [String], without other: [String]) -> [String] {
        var counts = other.reduce(into: [ByteEqualString: Int]()) { $0[ByteEqualString($1), default: 0] += 1 }
        return list.filter { item in
            let item = ByteEqualString(item)
            let count = counts[item] ?? 0
            counts[item] = count - 1
            return count <= 0
        }
    }
}

func differences(between expected: Input, and actual: Input, redacting redaction: Redaction = .standard) -> Differences
{
    var found = Differences(redaction: redaction)
    // An unreadable file must not hide the other differences.
    let (left, right) = ((try? expected.asRecorded()) ?? expected, (try? actual.asRecorded()) ?? actual)
    found.compareMethodAndURL(RequestParts(of: left, for: .methodAndURL), RequestParts(of: right, for: .methodAndURL))
    let names = (left.headers.fields + right.headers.fields).map { $0.name.lowercased() }
    for name in Set(names).sorted() {
        found.compare("header", left.headers.values(of: name), right.headers.values(of: name)) {
            "\(name): \(redaction.shown($0, of: name))"
        }
    }
    found.comparePayloads(left.sentPayload, right.sentPayload)
    if expected.options != actual.options {
        let (left, right) = ("\(expected.options)", "\(actual.options)")
        found.add("options: \(left) → \(left == right ? "other values" : right)")
    }
    return found
}

extension Differences {
    mutating func compareMethodAndURL(_ left: RequestParts, _ right: RequestParts) {
        compare("method", left.method, right.method, weight: 2)
        compare("server", left.url.origin, right.url.origin, weight: 4)
        compare("path", left.url.path, right.url.path, weight: 1 + segmentsApart(left.url.path, right.url.path))
        compare("query", left.url.queryItems, right.url.queryItems) { [redaction] item in
            String(redaction.shown(url: "?\(item)").dropFirst())
        }
    }

    fileprivate mutating func comparePayloads(_ left: Payload?, _ right: Payload?) {
        compare("media type", left?.mediaType?.rawValue ?? "none", right?.mediaType?.rawValue ?? "none")
        if left?.content == right?.content { return }
        guard let (first, second) = texts(left, right) else {
            let hasStream = [left, right].contains { $0?.content.hasStream == true }
            let remark = hasStream ? "; the bytes of a stream are not compared, so match by .methodAndURL" : ""
            return add("payload: \(left?.description ?? "none") → \(right?.description ?? "none")\(remark)")
        }
        let (before, after) = (Self.lines(of: first), Self.lines(of: second))
        let same = zip(before, after).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        if same == before.count, same == after.count { return add("payload: different in a hidden part") }
        let (was, isNow) = (Self.shown(before.dropFirst(same).first), Self.shown(after.dropFirst(same).first))
        add("payload, line \(same + 1): \(was) → \(isNow)")
    }

    /// Returns the lines of a text, or the pieces of JSON on one line, as in a cassette.
    ///
    /// The split is by bytes: `\r\n` is one `Character`, which differs from `\n`.
    private static func lines(of text: String) -> [Substring] {
        if let pieces = JSONPieces.pieces(of: text) { return pieces.map { Substring($0) } }
        return text.isEmpty
            ? [] : text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    private static func shown(_ line: Substring?) -> String {
        line.map { "\"\($0.prefix(longestText))\"" } ?? "nothing"
    }

    private func texts(_ left: Payload?, _ right: Payload?) -> (String, String)? {
        func text(_ payload: Payload?) -> String? {
            guard let payload else { return "" }
            guard case .data(let data) = payload.content else { return nil }
            let hidden = redaction.hiding(payload: data, mediaType: payload.mediaType)
            return hidden.flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard let first = text(left), let second = text(right) else { return nil }
        return (first, second)
    }

    /// The maximum number of characters of a text to show: a long line of prose, and short enough for a test report.
    static let longestText = 200
}

/// Returns the number of segments that differ between two paths, position by position.
private func segmentsApart(_ left: String, _ right: String) -> Int {
    let (left, right) = (left.split(separator: "/"), right.split(separator: "/"))
    return zip(left, right).count { $0 != $1 } + abs(left.count - right.count)
}
