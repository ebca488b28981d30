package import Foundation

/// A payload of several parts (RFC 2046 5.1, RFC 7578) as it was sent; each part is classified by its name.
package struct MultipartRedaction {
    private let bytes: [UInt8]
    private let parts: [Part]

    /// Whether the payload consists only of parts that could be read.
    ///
    /// Anything outside of the parts has no name that tells whether it is secret.
    private let isWhole: Bool

    /// Creates a multipart payload from its bytes.
    ///
    /// The result is nil if the media type is not multipart, or if the payload does not match its boundary and is not a
    /// form.
    ///
    /// - Parameters:
    ///   - payload: the payload as it was sent.
    ///   - mediaType: the media type of the payload.
    package init?(_ payload: Data, _ mediaType: MediaType?) {
        self.init(Array(payload)[...], mediaType, isCut: false)
    }

    /// Creates a multipart payload from its bytes; nil if it is not one.
    ///
    /// - Parameters:
    ///   - payload: the payload as it was sent.
    ///   - mediaType: the media type of the payload.
    ///   - isCut: whether bytes are missing at the end, so that the last part may be incomplete.
    init?(_ payload: ArraySlice<UInt8>, _ mediaType: MediaType?, isCut: Bool) {
        let beginning = mediaType?.beginning ?? ""
        let isMultipart = beginning.utf8.starts(with: "multipart/".utf8)
        let line = isMultipart ? nil : Self.boundaryLine(of: payload)
        guard isMultipart || line != nil else { return nil }
        let isForm = line != nil || beginning.utf8.starts(with: "multipart/form-data".utf8)
        bytes = Array(payload)
        guard let delimiter = line ?? mediaType.flatMap(Self.boundary).map({ Array("--\($0)".utf8) }) else {
            if !isForm { return nil }
            (parts, isWhole) = ([], false)
            return
        }
        let sections = bytes.pieces(between: delimiter)
        let hasEnd = sections.last.map { $0.starts(with: "--".utf8) } == true
        let inner = sections.dropFirst().dropLast(isCut && !hasEnd ? 0 : 1)
        let end = bytes.endIndex
        let complete = inner.filter { !isCut || $0.endIndex < end || Part($0) != nil }
        parts = complete.compactMap(Part.init)
        let isEnded = sections.last.map { $0.starts(with: "--".utf8) && Self.isEmpty($0.dropFirst(2)) } == true
        // Before the first part of a message there may be a text for old readers (RFC 2046 5.1.1).
        let isBegun = sections.first.map(Self.isEmpty) == true
        isWhole =
            isBegun && (isCut || isEnded && !inner.isEmpty)
            && complete.allSatisfy { isForm ? Part.isPart($0) : Part($0) != nil }
        if !isForm, !isWhole { return nil }
    }

    /// Returns the first line of a payload that is a form, whatever its media type is; nil if it is none.
    ///
    /// A form begins with the line of its boundary, of at most 70 characters (RFC 2046 5.1.1), and with the header
    /// fields of a part, of which one is a `Content-Disposition` (RFC 7578 4.2). Lines may end with LF only.
    static func boundaryLine(of payload: ArraySlice<UInt8>) -> [UInt8]? {
        guard let start = startOfBoundary(in: payload) else { return nil }
        let line = payload[start...].prefix(longestBoundaryLine).prefix(while: isOfLine)
        let fields = payload[line.endIndex...].prefix(longestFields)
        let isWhole = fields.first == FieldsAndContent.lf || fields.starts(with: "\r\n".utf8)
        guard line.count > 2, isWhole else { return nil }
        let name = Array("content-disposition:".utf8)
        let starts = fields.indices.filter { $0 == fields.startIndex || fields[$0 - 1] == FieldsAndContent.lf }
        let isPart = starts.contains { start in
            fields[start...].prefix(name.count).elementsEqual(name) { $0.asciiLowercased == $1 }
        }
        return isPart ? Array(line) : nil
    }

    /// Returns the start of a payload, or of the first line in its beginning, that begins with two hyphens.
    ///
    /// Before the first part there may be a text for old readers.
    private static func startOfBoundary(in payload: ArraySlice<UInt8>) -> Int? {
        if payload.starts(with: "--".utf8) { return payload.startIndex }
        let beginning = payload.prefix(longestFields)
        return beginning.indices.first { index in
            index > payload.startIndex && !isOfLine(payload[index - 1]) && payload[index...].starts(with: "--".utf8)
        }
    }

    private static func isOfLine(_ byte: UInt8) -> Bool {
        byte != FieldsAndContent.cr && byte != FieldsAndContent.lf
    }

    /// The two hyphens, 70 characters, and the CR after them.
    private static let longestBoundaryLine = 73

    /// The number of bytes in which the `Content-Disposition` of the first part begins.
    private static let longestFields = 1024

    private static func boundary(_ mediaType: MediaType) -> String? {
        // A media type has the syntax of a disposition: a type with parameters after it.
        let type = mediaType.rawValue
        guard let start = type.utf8.firstIndex(of: UInt8(ascii: ";")),
            let boundary = ContentDisposition("form-data\(type[start...])")?["boundary"], !boundary.isEmpty
        else { return nil }
        return boundary
    }

    /// Returns whether a section contains only line breaks, the most that is accepted around the parts.
    private static func isEmpty(_ section: ArraySlice<UInt8>) -> Bool {
        section.allSatisfy { $0 == FieldsAndContent.cr || $0 == FieldsAndContent.lf }
    }

    /// Returns the form with its secret parts, and the secrets inside of its other parts, replaced.
    ///
    /// The contents of a part are secret if its name is. If not all parts could be read, the whole form is replaced.
    package func hidden(by redactor: inout Redactor) -> [UInt8] {
        if redactor.redaction.hidesNothing { return bytes }
        var (shown, rest) = ([UInt8](), bytes[...])
        for part in parts {
            let hidden = part.hidden(by: &redactor)
            if hidden[...] == part.bytes { continue }
            shown += rest[..<part.bytes.startIndex]
            shown += hidden
            rest = rest[part.bytes.endIndex...]
        }
        return isWhole ? shown + rest : Array(Redaction.placeholder.utf8)
    }

    /// The parts for comparison, without the boundary between them, which differs each time.
    ///
    /// The value is nil if not all parts could be read.
    package var comparedParts: [[UInt8]]? { isWhole ? parts.map { Array($0.bytes) } : nil }

    /// The section between two delimiters.
    private struct Part {
        let bytes: ArraySlice<UInt8>
        private let message: FieldsAndContent
        private let content: ArraySlice<UInt8>

        /// All values that a server may take for the name: one, unless the form is malformed.
        private let names: [String]

        /// Returns whether a section matches RFC 7578 4.
        ///
        /// A valid section is a line break, header fields that include a name, and an empty line. All line breaks
        /// before the content are CR LF: any other could end a line for a server, but not here.
        static func isPart(_ section: ArraySlice<UInt8>) -> Bool {
            guard let part = Part(section), !part.names.isEmpty, section.starts(with: "\r\n".utf8) else { return false }
            let head = section[..<part.content.startIndex]
            return head.indices.allSatisfy { index in
                switch head[index] {
                case FieldsAndContent.cr: head[(index + 1)...].first == FieldsAndContent.lf
                case FieldsAndContent.lf: index > head.startIndex && head[index - 1] == FieldsAndContent.cr
                default: true
                }
            }
        }

        // Not inlined in the three places that read a part.
        @inline(never) init?(_ section: ArraySlice<UInt8>) {
            guard let message = FieldsAndContent(section, hasFirstLine: false) else { return nil }
            self.message = message
            // The line break belongs to the delimiter after it (RFC 2046 5.1.1); there may be none.
            let hasEnd = message.content.suffix(2).elementsEqual("\r\n".utf8)
            content = message.content.dropLast(hasEnd ? 2 : 0)
            bytes = section[..<content.endIndex]
            names = message.fields.filter { $0.name.isSame(withoutCase: "content-disposition") }.flatMap { field in
                let parameters = ContentDisposition(field.value)?.parameters ?? []
                return parameters.filter { ["name", "name*"].contains($0.name) }.map(\.value)
            }
        }

        private var mediaType: MediaType? { message.mediaType }

        /// The content before its transfer encoding (RFC 2045 6.8); nil if the content is not encoded.
        private var decoded: Data? {
            guard message.value(of: "content-transfer-encoding")?.isSame(withoutCase: "base64") == true else {
                return nil
            }
            return Data(base64Encoded: Data(content), options: .ignoreUnknownCharacters)
        }

        func hidden(by redactor: inout Redactor) -> [UInt8] {
            message.hidden(by: &redactor, content: hiddenContent(by: &redactor))
        }

        private func hiddenContent(by redactor: inout Redactor) -> ArraySlice<UInt8> {
            let (decoded, redaction) = (decoded.map { Array($0)[...] }, redactor.redaction)
            if names.contains(where: { redaction.decision(on: $0).hides(content) }) {
                if Placeholder(content) == nil {
                    redactor.collect(payload: content, mediaType: mediaType)
                    if let decoded { redactor.collect(payload: decoded, mediaType: mediaType) }
                }
                return redactor.placeholder(for: decoded ?? content)[...]
            }
            guard let decoded else { return redactor.payload(content, mediaType: mediaType) }
            let hidden = redactor.withoutNumbers { $0.payload(decoded, mediaType: mediaType) }
            return hidden == decoded ? content : Array(Data(hidden).base64EncodedData())[...]
        }
    }
}
