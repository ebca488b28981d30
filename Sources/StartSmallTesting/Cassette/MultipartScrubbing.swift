import Foundation
import StartSmall

/// A form of several parts (RFC 7578) as it was sent, whose parts are told by their names.
struct MultipartScrubbing {
    private let delimiter: Data
    private let sections: [Data]

    /// Takes a payload apart; nil if it is no such form.
    init?(_ payload: Data, _ mediaType: MediaType?) {
        guard let type = mediaType?.rawValue, type.lowercased().hasPrefix("multipart/form-data"),
            let start = type.range(of: "boundary=", options: .caseInsensitive)?.upperBound
        else { return nil }
        let boundary = type[start...].prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " \""))
        if boundary.isEmpty { return nil }
        delimiter = Data("--\(boundary)".utf8)
        sections = payload.split(separator: delimiter)
    }

    /// The form with the contents of all parts replaced whose names are secret.
    func scrubbed(by redaction: Redaction) -> Data {
        let shown = sections.map { section -> Data in
            guard let part = Part(section), redaction.hides(part.name) else { return section }
            return part.head + Data("\(Redaction.placeholder)\r\n".utf8)
        }
        return Data(shown.joined(separator: delimiter))
    }

    /// The contents of all parts whose names are secret.
    func secrets(by redaction: Redaction) -> [String] {
        sections.compactMap(Part.init).filter { redaction.hides($0.name) }.compactMap { part in
            String(validating: part.content, as: UTF8.self)?.trimmingCharacters(in: .newlines)
        }
    }

    private struct Part {
        let name: String
        let head: Data
        let content: Data

        init?(_ section: Data) {
            guard let end = section.firstRange(of: Data("\r\n\r\n".utf8))?.upperBound else { return nil }
            let text = String(decoding: section[..<end], as: UTF8.self)
            guard let start = text.range(of: "name=\"")?.upperBound else { return nil }
            name = String(text[start...].prefix { $0 != "\"" })
            head = Data(section[..<end])
            content = Data(section[end...])
        }
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
