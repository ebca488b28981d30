import Foundation
import StartSmall

/// A form of several parts (RFC 7578) as it was sent, whose parts are told by their names.
struct MultipartScrubbing {
    private let delimiter: Data
    private let sections: [Data]

    /// Takes a payload apart; nil if it is no such form.
    init?(_ payload: Data, _ mediaType: MediaType?) {
        // A media type is written as a disposition is: a type, and parameters behind it.
        guard let type = mediaType?.rawValue, type.lowercased().hasPrefix("multipart/form-data"),
            let parameters = type.firstIndex(of: ";").map({ type[$0...] }),
            let boundary = ContentDisposition("form-data\(parameters)")?["boundary"], !boundary.isEmpty
        else { return nil }
        delimiter = Data("--\(boundary)".utf8)
        sections = payload.split(separator: delimiter)
    }

    /// The form with the contents of all parts replaced whose names are secret, and what is secret in the others.
    func scrubbed(by redaction: Redaction) -> Data {
        let shown = sections.map { section -> Data in
            guard let part = Part(section) else { return section }
            let shown =
                part.isSecret(to: redaction)
                ? Data(Redaction.placeholder.utf8) : redaction.hidingText(of: part.content, part.mediaType)
            return part.head + shown + Part.end
        }
        return Data(shown.joined(separator: delimiter))
    }

    /// The contents of all parts whose names are secret.
    func secrets(by redaction: Redaction) -> [String] {
        sections.compactMap(Part.init).filter { $0.isSecret(to: redaction) }.compactMap { part in
            EncodedText(part.content, part.mediaType)?.text
        }
    }

    /// The contents of all other parts, with their types.
    func others(by redaction: Redaction) -> [(content: Data, mediaType: MediaType?)] {
        sections.compactMap(Part.init).filter { !$0.isSecret(to: redaction) }.map { ($0.content, $0.mediaType) }
    }

    private struct Part {
        let head: Data
        let content: Data
        let mediaType: MediaType?

        /// The end of a line, which belongs to the delimiter behind it (RFC 2046 5.1.1).
        static let end = Data("\r\n".utf8)

        /// All that a server may take for the name: one, unless the form is malformed.
        private let names: [String]

        init?(_ section: Data) {
            guard let end = section.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound else { return nil }
            head = Data(section[..<end])
            let rest = Data(section[end...])
            content = rest.suffix(Self.end.count) == Self.end ? rest.dropLast(Self.end.count) : rest
            let fields = Self.fields(of: String(decoding: head, as: UTF8.self))
            mediaType = fields.last { $0.name == "content-type" }.map { MediaType(rawValue: $0.value) }
            names = fields.filter { $0.name == "content-disposition" }.flatMap { field in
                let parameters = ContentDisposition(field.value)?.parameters ?? []
                return parameters.filter { ["name", "name*"].contains($0.name) }.map(\.value)
            }
        }

        func isSecret(to redaction: Redaction) -> Bool {
            names.contains(where: redaction.hides)
        }

        /// Names in small letters, and values; a line that begins with a blank belongs to the one before (RFC 5322 2.2.3).
        private static func fields(of head: String) -> [(name: String, value: String)] {
            let folded = ["\r\n ", "\r\n\t"].reduce(head) { $0.replacingOccurrences(of: $1, with: " ") }
            return folded.components(separatedBy: "\r\n").compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let name = line[..<colon].trimmingCharacters(in: .whitespaces).lowercased()
                return (name, line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
            }
        }
    }
}

extension Redaction {
    /// A payload of any kind with the credentials in it replaced, as far as it is a text.
    func scrubbing(payload: Data, mediaType: MediaType?) -> Data {
        MultipartScrubbing(payload, mediaType)?.scrubbed(by: self) ?? hidingText(of: payload, mediaType)
    }
}

extension Data {
    /// The pieces between the places where a separator stands; one more than there are such places.
    fileprivate func split(separator: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            pieces.append(Data(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return pieces + [Data(rest)]
    }
}
