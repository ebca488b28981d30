public import StartSmallCore
public import StartSmallSupport
public import StartSmallFoundation

extension MultipartForm {
    /// One part of a form.
    public struct Part: Hashable, Sendable {
        /// The source of the bytes of a part, which is not another form.
        public typealias Content = Payload.Content

        /// The name of the form's field.
        public var name: String

        /// The source of the bytes.
        public var content: Content

        /// The name of the file for the server, without a path (RFC 7578 4.2); nil if the part is not a file.
        public var fileName: String?

        /// The value of the part's `Content-Type`, unless its headers have one; nil for no such field.
        ///
        /// A part without the field is text in UTF-8 (RFC 7578 4.4 and 5.1.2).
        public var mediaType: MediaType?

        /// Further header fields of the part; most servers ignore them (RFC 7578 4.8).
        public var headers: HTTPHeaders

        /// Creates a part.
        public init(
            name: String,
            content: Content,
            fileName: String? = nil,
            mediaType: MediaType? = nil,
            headers: HTTPHeaders = [:]
        ) {
            self.name = name
            self.content = content
            self.fileName = fileName
            self.mediaType = mediaType
            self.headers = headers
        }

        /// Creates a part of text in UTF-8, with its line ends unchanged.
        ///
        /// - Parameters:
        ///   - name: the name of the form's field.
        ///   - text: the text.
        public static func text(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .data(Data(text.utf8)))
        }

        /// Creates a part of bytes in memory, which is a file for the server if it has a file name.
        ///
        /// - Parameters:
        ///   - name: the name of the form's field.
        ///   - data: the bytes.
        ///   - fileName: the name of the file for the server, without a path; nil if the part is not a file.
        ///   - mediaType: the value of `Content-Type`; nil for no such field.
        public static func data(
            _ name: String,
            _ data: Data,
            fileName: String? = nil,
            mediaType: MediaType? = .octetStream
        ) -> Part {
            Part(name: name, content: .data(data), fileName: fileName, mediaType: mediaType)
        }

        /// Creates a part of the bytes of the file at `url`.
        ///
        /// Without a `fileName`, the file has its own name for the server; without a `mediaType`, the type of its
        /// extension.
        ///
        /// - SeeAlso: ``data(_:_:fileName:mediaType:)``
        public static func file(
            _ name: String,
            _ url: URL,
            fileName: String? = nil,
            mediaType: MediaType? = nil
        ) -> Part {
            Part(
                name: name,
                content: .file(url),
                fileName: fileName ?? url.lastPathComponent,
                mediaType: mediaType ?? .ofFile(at: url)
            )
        }
    }
}

extension MultipartForm.Part {
    /// The media type that is sent as the part's `Content-Type`.
    package var sentMediaType: MediaType? {
        headers.contentType ?? mediaType
    }

    var head: Data {
        Data((fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
    }

    func check() throws(ConnectionError) {
        if case .assembled = content { throw Self.isForm }
        if headers.contains("Content-Disposition") {
            throw .malformedPayload(debugInfo: "Content-Disposition of a part is set by the form (RFC 7578 4.2)")
        }
        if let rejectionReason = fields.lazy.compactMap(\.rejectionReason).first {
            throw .malformedPayload(debugInfo: rejectionReason)
        }
    }

    static let isForm = ConnectionError.malformedPayload(debugInfo: "a form in a part of a form")

    private var fields: [HTTPHeaders.Field] {
        let fileName = self.fileName.map { "; filename=\"\(Self.escaped($0))\"" } ?? ""
        let name = Self.escaped(Self.withLineEnds(name))
        var fields: HTTPHeaders = ["Content-Disposition": "form-data; name=\"\(name)\"\(fileName)"]
        if let mediaType, !headers.contains("Content-Type") { fields.append("Content-Type", mediaType.rawValue) }
        return fields.fields + headers.fields
    }

    /// Returns the name of a field with each line end as CR LF (WHATWG HTML 4.10.21.8).
    ///
    /// Browsers leave the line ends in names of files unchanged.
    private static func withLineEnds(_ name: String) -> String {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        guard name.utf8.contains(where: { $0 == cr || $0 == lf }) else { return name }
        var bytes: [UInt8] = []
        for byte in name.utf8 {
            if bytes.last == cr, byte != lf { bytes.append(lf) }
            if bytes.last != cr, byte == lf { bytes.append(cr) }
            bytes.append(byte)
        }
        return String(decoding: bytes.last == cr ? bytes + [lf] : bytes, as: UTF8.self)
    }

    /// Returns a name as browsers write it (WHATWG HTML 4.10.21.8): UTF-8, with only quotes and line ends escaped.
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: isEscaped) else { return name }
        return URIEncoding.encoded(name) { !isEscaped($0) }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The name of the part; never its content.
    public var description: String {
        "part \(name.onOneLine)"
    }
}
