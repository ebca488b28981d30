import StartSmallCore
public import StartSmallSupport
package import StartSmallFoundation

/// A problem as reported by APIs without their own format: `application/problem+json` (RFC 9457 3.1).
///
/// Two problems are equal if their texts are the same byte by byte, and their other members are equal.
public struct ProblemDetails: Sendable {
    /// A URI reference that names the kind of problem; `about:blank` if there is none (RFC 9457 3.1.1 and 4.2.1).
    public var type: String

    /// The status that the server generated (RFC 9457 3.1.2).
    public var status: Int?

    /// A summary of the kind of problem, for people (RFC 9457 3.1.3).
    public var title: String?

    /// An explanation of this occurrence of the problem, for people (RFC 9457 3.1.4).
    public var detail: String?

    /// A URI reference that names this occurrence (RFC 9457 3.1.5).
    public var instance: String?

    /// The members that the kind of problem adds, by name (RFC 9457 3.2).
    public var extensions: [String: JSONValue]

    /// The type of a problem that says no more than its status (RFC 9457 4.2.1).
    @usableFromInline static let blankType = "about:blank"

    /// Creates a problem.
    public init(
        type: String = blankType,
        status: Int? = nil,
        title: String? = nil,
        detail: String? = nil,
        instance: String? = nil,
        extensions: [String: JSONValue] = [:]
    ) {
        self.type = type
        self.status = status
        self.title = title
        self.detail = detail
        self.instance = instance
        self.extensions = extensions
    }
}

extension ProblemDetails: Hashable, ComparedByKey {
    package var comparedKey: HashablePair<HashablePair<Int?, [String: JSONValue]>, [ByteEqualString?]> {
        let texts = [type, title, detail, instance].map { $0.map { ByteEqualString($0) } }
        return HashablePair(HashablePair(status, extensions), texts)
    }
}

extension ProblemDetails: Codable {
    private enum Member: String, CaseIterable {
        case type, status, title, detail, instance
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init(_ member: Member) { stringValue = member.rawValue }

        init?(intValue: Int) { nil }

        var isOfExtension: Bool { Member(rawValue: stringValue) == nil }
    }

    /// Creates a problem from a decoder; members of a wrong type count as absent (RFC 9457 3.1).
    ///
    /// - Throws: `DecodingError` if none of the members exists. The value is then an error document of another form,
    ///   unless the response is declared as `application/problem+json`, which only its transform knows.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        guard container.allKeys.contains(where: { !$0.isOfExtension }) else {
            throw Self.isOfAnotherForm(decoder.codingPath)
        }
        let members = container.allKeys.compactMap { name in
            (try? container.decode(JSONValue.self, forKey: name)).map { (name.stringValue, $0) }
        }
        self.init(Dictionary(members, uniquingKeysWith: { first, _ in first }))
    }

    private static func isOfAnotherForm(_ path: [any CodingKey]) -> DecodingError {
        .dataCorrupted(.init(codingPath: path, debugDescription: "No member of RFC 9457 3.1 is present."))
    }

    /// Encodes the problem; an extension can't replace a member of RFC 9457 3.1.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(type, forKey: Name(.type))
        try container.encodeIfPresent(status, forKey: Name(.status))
        try container.encodeIfPresent(title, forKey: Name(.title))
        try container.encodeIfPresent(detail, forKey: Name(.detail))
        try container.encodeIfPresent(instance, forKey: Name(.instance))
        for (name, value) in extensions where Name(stringValue: name).isOfExtension {
            try container.encode(value, forKey: Name(stringValue: name))
        }
    }
}

extension ProblemDetails: ReadWithoutDecoder {
    /// Reads a problem from JSON.
    ///
    /// - Throws: An error if none of the members of RFC 9457 3.1 exists, unless the text is declared as a problem.
    package init(json data: Data, isProblem: Bool = false) throws {
        // A declared problem may have only extensions, or nothing (RFC 9457 3.1).
        if isProblem, case .object(let members)? = try? JSONValue(json: data) {
            self.init(members)
            return
        }
        let tape = try JSONTape(anyEncoding: data)
        var missing: Set<String> = []
        guard tape.words[0].kind == .object,
            let members = JSONValueReader(tape: tape).members(of: 0, depth: 1, missing: &missing),
            Member.allCases.contains(where: { members[$0.rawValue] != nil || missing.contains($0.rawValue) })
        else { throw Self.isOfAnotherForm([]) }
        self.init(members)
    }

    private init(_ members: [String: JSONValue]) {
        let status: Int? =
            if case .integer(let status)? = members[Member.status.rawValue] { Int(exactly: status) } else { nil }
        self.init(
            type: members[Member.type.rawValue]?.string ?? Self.blankType,
            status: status,
            title: members[Member.title.rawValue]?.string,
            detail: members[Member.detail.rawValue]?.string,
            instance: members[Member.instance.rawValue]?.string,
            extensions: members.filter { Name(stringValue: $0.key).isOfExtension }
        )
    }
}

extension ProblemDetails: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The title and detail, or else the type, and the number of extensions, on one line, with credentials redacted.
    public var description: String {
        let summary = [title, detail].compactMap(\.self).joined(separator: ": ")
        let more = extensions.isEmpty ? "" : ", with \(extensions.count) extensions"
        return Redaction.standard.shown(text: summary.isEmpty ? type : summary) + more
    }
}
