import Foundation
import StartSmall

/// A form of several parts (RFC 7578) as it was sent, whose parts are told by their names.
struct MultipartScrubbing {
    private let bytes: [UInt8]
    private let parts: [Part]

    /// Whether all of it is parts that could be read: what stands elsewhere has no name that tells whether it is secret.
    private let isWhole: Bool

    /// Takes a payload apart; nil if its type is another one.
    init?(_ payload: Data, _ mediaType: MediaType?) {
        guard let mediaType, mediaType.beginning.utf8.starts(with: "multipart/form-data".utf8) else { return nil }
        bytes = Array(payload)
        guard let boundary = Self.boundary(mediaType) else {
            (parts, isWhole) = ([], false)
            return
        }
        let sections = bytes.pieces(between: Array("--\(boundary)".utf8))
        let inner = sections.dropFirst().dropLast()
        parts = inner.compactMap(Part.init)
        isWhole =
            !inner.isEmpty && inner.allSatisfy(Part.isPart) && sections.first.map(Self.isEmpty) == true
            && sections.last.map { $0.starts(with: "--".utf8) && Self.isEmpty($0.dropFirst(2)) } == true
    }

    private static func boundary(_ mediaType: MediaType) -> String? {
        // A media type is written as a disposition is: a type, and parameters behind it.
        let type = mediaType.rawValue
        guard let start = type.utf8.firstIndex(of: UInt8(ascii: ";")),
            let boundary = ContentDisposition("form-data\(type[start...])")?["boundary"], !boundary.isEmpty
        else { return nil }
        return boundary
    }

    /// Whether nothing is there but ends of lines, which are around what is sent at the most.
    private static func isEmpty(_ section: ArraySlice<UInt8>) -> Bool {
        section.allSatisfy { $0 == ByteQueue.cr || $0 == ByteQueue.lf }
    }

    /// The form with the contents of all parts replaced whose names are secret, and what is secret in the others; the whole
    /// of it if not all could be read.
    func scrubbed(by redaction: Redaction) -> Data {
        if redaction.hidesNothing { return Data(bytes) }
        guard isWhole else { return Data(Redaction.placeholder.utf8) }
        var (shown, rest) = ([UInt8](), bytes[...])
        for part in parts {
            let content = part.shownContent(by: redaction)
            if content == part.content { continue }
            shown += rest[..<part.content.startIndex]
            shown += content
            rest = rest[part.content.endIndex...]
        }
        return Data(shown + rest)
    }

    /// The contents of all parts whose names are secret.
    func secrets(by redaction: Redaction) -> [String] {
        parts.filter { $0.isSecret(to: redaction) }.compactMap { part in
            EncodedText(Data(part.content), part.mediaType)?.text
        }
    }

    /// The contents of all other parts, with their types.
    func others(by redaction: Redaction) -> [(content: Data, mediaType: MediaType?)] {
        parts.filter { !$0.isSecret(to: redaction) }.map { (Data($0.content), $0.mediaType) }
    }

    /// What stands between two delimiters.
    private struct Part {
        let content: ArraySlice<UInt8>
        let mediaType: MediaType?

        /// All that a server may take for the name: one, unless the form is malformed.
        private let names: [String]

        /// Whether a section is as RFC 7578 4 says: fields behind an end of a line, among them a name, and an empty line.
        ///
        /// All ends of lines in front of the content are CR LF: another one could end a line for a server, and not here.
        static func isPart(_ section: ArraySlice<UInt8>) -> Bool {
            guard let part = Part(section), !part.names.isEmpty, section.starts(with: "\r\n".utf8) else { return false }
            let head = section[..<part.content.startIndex]
            return head.indices.allSatisfy { index in
                switch head[index] {
                case ByteQueue.cr: head[(index + 1)...].first == ByteQueue.lf
                case ByteQueue.lf: index > head.startIndex && head[index - 1] == ByteQueue.cr
                default: true
                }
            }
        }

        init?(_ section: ArraySlice<UInt8>) {
            let isEnd = { section[$0] == ByteQueue.cr && section[$0...].starts(with: "\r\n\r\n".utf8) }
            guard let start = section.indices.first(where: isEnd).map({ $0 + 4 }) else { return nil }
            // The end of a line belongs to the delimiter behind it (RFC 2046 5.1.1); there may be none.
            let hasEnd = section[start...].suffix(2).elementsEqual("\r\n".utf8)
            content = section[start...].dropLast(hasEnd ? 2 : 0)
            let fields = Self.fields(of: section[..<start])
            mediaType = fields.last { $0.name.isSame(as: "content-type") }.map { MediaType(rawValue: $0.value) }
            names = fields.filter { $0.name.isSame(as: "content-disposition") }.flatMap { field in
                let parameters = ContentDisposition(field.value)?.parameters ?? []
                return parameters.filter { ["name", "name*"].contains($0.name) }.map(\.value)
            }
        }

        func isSecret(to redaction: Redaction) -> Bool {
            names.contains { redaction.verdict(on: $0).hides(content) }
        }

        func shownContent(by redaction: Redaction) -> ArraySlice<UInt8> {
            if isSecret(to: redaction) { return Array(Redaction.placeholder.utf8)[...] }
            return content.isEmpty ? content : redaction.hiding(payload: content, mediaType: mediaType)
        }

        /// Names in small letters, and values; a line that begins with a blank belongs to the one before (RFC 5322 2.2.3).
        private static func fields(of head: ArraySlice<UInt8>) -> [(name: String, value: String)] {
            guard head.contains(UInt8(ascii: ":")) else { return [] }
            let lines = head.split(separator: ByteQueue.lf).reduce(into: [ArraySlice<UInt8>]()) { lines, line in
                let line = line.last == ByteQueue.cr ? line.dropLast() : line
                if let first = line.first, first.isBlank, let last = lines.indices.last {
                    lines[last] += line
                } else {
                    lines.append(line)
                }
            }
            return lines.compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
                let (name, value) = (HTTP1Lines.trimmed(line[..<colon]), HTTP1Lines.trimmed(line[(colon + 1)...]))
                return (HTTP1Lines.text(name).lowercased(), HTTP1Lines.text(value))
            }
        }
    }
}

extension Redaction {
    /// A payload of any kind with the credentials in it replaced, as far as it is a text, and all of a form that can't be
    /// taken apart.
    func scrubbing(payload: Data, mediaType: MediaType?) -> Data {
        if payload.isEmpty { return payload }
        return MultipartScrubbing(payload, mediaType)?.scrubbed(by: self)
            ?? hiding(payload: payload, mediaType: mediaType)
    }
}
