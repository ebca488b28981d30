public import Foundation

extension MultipartForm {
    /// One part of a form.
    public struct Part: Hashable, Sendable {
        /// Where the bytes of a part come from.
        public enum Content: Hashable, Sendable {
            /// Bytes in memory.
            case data(Data)

            /// The bytes that a file holds when the request is sent.
            case file(URL)
        }

        /// The name of the form's field.
        public var name: String

        /// Where the bytes come from.
        public var content: Content

        /// The name of the file for the server, without a path (RFC 7578 4.2); nil if this is not a file.
        public var fileName: String?

        /// Whether the file name is said a second time, as `filename*`; see ``addingExtendedFileName()``.
        public var hasExtendedFileName = false

        /// What goes into the part's `Content-Type`, unless its headers have one; nil for no such header, which means
        /// text in UTF-8 (RFC 7578 4.4 and 5.1.2).
        public var mediaType: MediaType?

        /// Further headers of the part; most servers ignore them (RFC 7578 4.8).
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

        /// A text in UTF-8, as it is: its line ends are not changed.
        public static func text(_ name: String, _ text: String) -> Part {
            Part(name: name, content: .data(Data(text.utf8)))
        }

        /// Bytes in memory, as a file for the server if they have a file name.
        public static func data(
            _ name: String,
            _ data: Data,
            fileName: String? = nil,
            mediaType: MediaType? = .octetStream
        ) -> Part {
            Part(name: name, content: .data(data), fileName: fileName, mediaType: mediaType)
        }

        /// A file, by its own name and of the media type that the name's extension says, unless told otherwise.
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
    /// The same with its file name said a second time, as `filename*=UTF-8''…` (RFC 8187 3.2).
    ///
    /// For servers that read a name beyond ASCII in this form alone. RFC 7578 4.2 forbids it, and browsers don't send it,
    /// so ask for it only where it is needed.
    public func addingExtendedFileName() -> MultipartForm.Part {
        var part = self
        part.hasExtendedFileName = true
        return part
    }

    /// What is sent as the part's `Content-Type`.
    var sentMediaType: MediaType? {
        headers.contentType ?? mediaType
    }

    /// The part's headers and an empty line.
    var head: Data {
        Data((fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n").utf8)
    }

    /// Checks the part's headers.
    func check() throws(ConnectionError) {
        if headers.contains("Content-Disposition") {
            throw .malformedPayload(debugInfo: "Content-Disposition of a part is the form's to write (RFC 7578 4.2)")
        }
        if let rejectionReason = fields.lazy.compactMap(\.rejectionReason).first {
            throw .malformedPayload(debugInfo: rejectionReason)
        }
    }

    private var fields: [HTTPHeaders.Field] {
        let fileName = self.fileName.map { "; filename=\"\(Self.escaped($0))\"" + extended($0) } ?? ""
        let name = Self.escaped(Self.withLineEnds(name))
        var fields: HTTPHeaders = ["Content-Disposition": "form-data; name=\"\(name)\"\(fileName)"]
        if let mediaType, !headers.contains("Content-Type") { fields.append("Content-Type", mediaType.rawValue) }
        return fields.fields + headers.fields
    }

    private func extended(_ fileName: String) -> String {
        hasExtendedFileName
            ? "; filename*=UTF-8''\(URIEncoding.encoded(fileName, keeping: ExtendedValue.isAttributeByte))" : ""
    }

    /// The name of a field, each end of a line in it as CR LF (WHATWG HTML 4.10.21.8); browsers leave names of files so.
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

    /// A name as browsers write it (WHATWG HTML 4.10.21.8): UTF-8, in which only a quote and line ends are escaped.
    private static func escaped(_ name: String) -> String {
        guard name.utf8.contains(where: isEscaped) else { return name }
        return URIEncoding.encoded(name) { !isEscaped($0) }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }
}

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable {
    /// The name of the part; never its content.
    public var description: String {
        "part \(name.onOneLine)"
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["part": description])
    }
}
