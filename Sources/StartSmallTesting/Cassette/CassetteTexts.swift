import Foundation
import StartSmall

extension String {
    /// A URL's text in which what stands for a secret can be read.
    var showingPlaceholder: String {
        // Most texts are as they are, and Foundation takes long to find that out.
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        return replacingOccurrences(of: RFC3986.encoded(Redaction.placeholder), with: Redaction.placeholder)
    }

    /// A URL's text in which what stands for a secret is legal.
    var encodingPlaceholder: String {
        guard utf8.contains(UInt8(ascii: "<")) else { return self }
        return replacingOccurrences(of: Redaction.placeholder, with: RFC3986.encoded(Redaction.placeholder))
    }
}

extension URL {
    /// Reads a URL of a cassette.
    static func cassette(_ text: String) throws(CassetteError) -> URL {
        guard let url = URL(string: text.encodingPlaceholder) else {
            throw CassetteError("not a URL: \"\(Redaction.standard.shown(url: text))\"")
        }
        return url
    }
}

extension HTTPHeaders {
    /// Each field as `Name: value`; nil if there is none.
    var lines: [String]? {
        fields.isEmpty ? nil : fields.map { "\($0.name): \($0.value)" }
    }

    /// Reads fields of the form `Name: value`.
    init(lines: [String]?) throws(CassetteError) {
        self.init()
        for line in lines ?? [] {
            guard let colon = line.firstIndex(of: ":") else {
                throw CassetteError("not a header field: \"\(Redaction.standard.shown(text: line))\"")
            }
            append(String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
    }
}

extension Date {
    /// Reads a time of ISO 8601, with or without fractions of a second.
    init?(cassette text: String) {
        guard let date = Self.styles.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        self = date
    }

    private static let styles = [
        Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
    ]
}
