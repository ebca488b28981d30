import Foundation

/// A message with header fields before its content: a part of a form, or HTTP (RFC 9112) in a part of a batch.
struct FieldsAndContent {
    /// The header fields in order, and the range of each.
    private(set) var fields: [(name: String, value: String, range: Range<Int>)] = []

    /// The content after the empty line.
    let content: ArraySlice<UInt8>

    private let bytes: ArraySlice<UInt8>

    /// The end of the first line, if that line is not a header field.
    private let endOfFirstLine: Int

    /// Creates a message from its bytes; nil if there is no empty line after the header fields.
    ///
    /// - Parameters:
    ///   - bytes: the message.
    ///   - hasFirstLine: whether the first line is a request line or a status line.
    init?(_ bytes: ArraySlice<UInt8>, hasFirstLine: Bool) {
        let isEnd = { bytes[$0] == Self.cr && bytes[$0...].starts(with: "\r\n\r\n".utf8) }
        guard let end = bytes.indices.first(where: isEnd) else { return nil }
        self.bytes = bytes
        content = bytes[(end + 4)...]
        endOfFirstLine =
            hasFirstLine ? bytes[..<end].firstIndex(of: Self.cr) ?? end : bytes.startIndex
        readFields(in: bytes[endOfFirstLine..<end])
    }

    /// Reads the header fields; a line that begins with a blank continues the line before (RFC 5322 2.2.3).
    private mutating func readFields(in head: ArraySlice<UInt8>) {
        var lines: [(text: [UInt8], range: Range<Int>)] = []
        for line in head.split(whereSeparator: { $0 == Self.cr || $0 == Self.lf }) {
            if line.first?.isBlank == true, let last = lines.indices.last {
                lines[last].text += line
                lines[last].range = lines[last].range.lowerBound..<line.endIndex
            } else {
                lines.append((Array(line), line.startIndex..<line.endIndex))
            }
        }
        fields = lines.compactMap { text, range in
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return (Self.text(text[..<colon]), Self.text(text[(colon + 1)...]), range)
        }
    }

    /// Returns the value of the last field with a name, which is given in lower case.
    func value(of name: String) -> String? {
        fields.last { $0.name.isSame(withoutCase: name) }?.value
    }

    /// The media type of the content, if a field declares it.
    var mediaType: MediaType? { value(of: "content-type").map { MediaType(rawValue: $0) } }

    /// Returns the message with its secret fields replaced, and with another content.
    ///
    /// - Parameters:
    ///   - redactor: the redactor that reads the fields.
    ///   - shown: the content of the result.
    func hidden(by redactor: inout Redactor, content shown: some Sequence<UInt8>) -> [UInt8] {
        var head: [UInt8] = []
        var rest = bytes.startIndex
        if endOfFirstLine > rest {
            head += redactor.text(Array(bytes[..<endOfFirstLine]))
            rest = endOfFirstLine
        }
        for field in fields {
            let value = redactor.field(field.name, field.value)
            if value.isSame(as: field.value) { continue }
            head += bytes[rest..<field.range.lowerBound]
            head += "\(field.name): \(value)".utf8
            rest = field.range.upperBound
        }
        return head + bytes[rest..<content.startIndex] + shown
    }

    /// Decodes a text without the blanks around it.
    ///
    /// The bytes are UTF-8, or else ISO-8859-1 (RFC 9110 5.5 leaves it open).
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var bytes = bytes.drop(while: \.isBlank)
        while let last = bytes.last, last.isBlank { bytes.removeLast() }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    static let cr = UInt8(ascii: "\r")
    static let lf = UInt8(ascii: "\n")
}

extension Redactor {
    /// Returns a payload with its secret values replaced.
    ///
    /// JSON and forms that can't be read, for example because they are compressed, are replaced as a whole. So is a
    /// form of several parts that does not match its boundary.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - mediaType: the media type of the payload; nil if it is unknown.
    package mutating func payload(_ payload: ArraySlice<UInt8>, mediaType: MediaType?) -> ArraySlice<UInt8> {
        if payload.isEmpty || redaction.hidesNothing { return payload }
        begin(payload.count)
        if let form = MultipartRedaction(payload, mediaType, isCut: false) {
            return within { $0.hidden(form) } ?? Array(Redaction.placeholder.utf8)[...]
        }
        if mediaType?.isHTTP == true, let message = FieldsAndContent(payload, hasFirstLine: true) {
            return within { $0.hidden(message) } ?? Array(Redaction.placeholder.utf8)[...]
        }
        if mediaType == nil, !redaction.mayReveal(in: payload) { return payload }
        let readings = PayloadText.readings(of: payload, mediaType)
        if readings.isEmpty, PayloadText.tellsSecretsByName(mediaType) { return Array(Redaction.placeholder.utf8)[...] }
        var hidden = payload
        for reading in readings { hidden = self.payload(hidden, read: reading, mediaType) }
        return hidden
    }

    private mutating func hidden(_ form: MultipartRedaction) -> ArraySlice<UInt8> {
        form.hidden(by: &self)[...]
    }

    private mutating func hidden(_ message: FieldsAndContent) -> ArraySlice<UInt8> {
        let content = payload(message.content, mediaType: message.mediaType)
        return message.hidden(by: &self, content: content)[...]
    }

    private mutating func payload(
        _ payload: ArraySlice<UInt8>,
        read reading: PayloadText.Reading,
        _ mediaType: MediaType?
    ) -> ArraySlice<UInt8> {
        guard case .encoded(let encoding) = reading else {
            return PayloadText(Array(payload), mediaType).hiding(by: &self, folding: false)[...]
        }
        guard let text = Charset.text(Data(payload), in: encoding, isCut: true).map({ Array($0.utf8) }) else {
            return payload
        }
        let hidden = PayloadText(text, mediaType).hiding(by: &self, folding: false)
        if hidden == text { return payload }
        let encoded = Charset.data(String(decoding: hidden, as: UTF8.self), in: encoding)
        return Array(encoded ?? Data(Redaction.placeholder.utf8))[...]
    }

    /// Collects the text of a payload that was replaced as a whole.
    ///
    /// - Parameters:
    ///   - payload: the payload.
    ///   - mediaType: the media type of the payload; nil if it is unknown.
    mutating func collect(payload: ArraySlice<UInt8>, mediaType: MediaType?) {
        guard isCollecting else { return }
        for reading in PayloadText.readings(of: payload, mediaType) {
            switch reading {
            case .asIs: collect(payload)
            case .encoded(let encoding):
                if let text = Charset.text(Data(payload), in: encoding, isCut: true) { collect(Array(text.utf8)[...]) }
            }
        }
    }
}

extension MediaType {
    /// Whether the payload is an HTTP message (RFC 9112 10), as a part of a batch is.
    fileprivate var isHTTP: Bool { ["application/http", "message/http"].contains { beginning.isSame(as: $0) } }
}
