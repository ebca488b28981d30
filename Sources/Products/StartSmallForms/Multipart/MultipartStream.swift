public import StartSmallCore
import StartSmallEngines
public import StartSmallFoundation

extension MultipartForm.Part {
    /// Creates a part of the chunks of an asynchronous sequence, which the engine asks for while it sends them.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - fileName: the name of the file for the server, without a path; nil if the part is not a file.
    ///   - mediaType: the value of `Content-Type`; nil for no such field.
    ///   - length: the number of bytes; nil if it is not known, and then the length of the form is not known either.
    ///   - replayable: whether `chunks` may be called more than once, and returns the same bytes each time; if not, the
    ///     form is never sent twice.
    ///   - chunks: returns the sequence; called anew for each attempt, in a task of its own.
    /// - SeeAlso: ``PayloadStream``
    public static func stream<Chunks: AsyncSequence & SendableMetatype>(
        _ name: String,
        fileName: String? = nil,
        mediaType: MediaType? = .octetStream,
        length: Int? = nil,
        replayable: Bool = true,
        chunks: @escaping @Sendable () async throws -> Chunks
    ) -> MultipartForm.Part where Chunks.Element == Data {
        let stream = PayloadStream(length: length, replayable: replayable, chunks: chunks)
        return MultipartForm.Part(name: name, content: .stream(stream), fileName: fileName, mediaType: mediaType)
    }

    /// Creates a part of the bytes that a function writes while they are sent.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - fileName: the name of the file for the server, without a path; nil if the part is not a file.
    ///   - mediaType: the value of `Content-Type`; nil for no such field.
    ///   - length: the number of bytes; nil if it is not known, and then the length of the form is not known either.
    ///   - replayable: whether `body` may be called more than once, and writes the same bytes each time; if not, the
    ///     form is never sent twice.
    ///   - body: writes the bytes; called anew for each attempt, in a task of its own.
    /// - SeeAlso: ``PayloadStream``
    public static func writer(
        _ name: String,
        fileName: String? = nil,
        mediaType: MediaType? = .octetStream,
        length: Int? = nil,
        replayable: Bool = true,
        writing body: @escaping @Sendable (PayloadWriter) async throws -> Void
    ) -> MultipartForm.Part {
        let stream = PayloadStream(length: length, replayable: replayable, writing: body)
        return MultipartForm.Part(name: name, content: .stream(stream), fileName: fileName, mediaType: mediaType)
    }
}

extension MultipartForm {
    /// A run of a form's bytes.
    private enum Segment: Sendable {
        case source(PayloadSource)
        case stream(PayloadStream)

        var count: Int? {
            switch self {
            case .source(let source): source.count
            case .stream(let stream): stream.length
            }
        }
    }

    /// Returns the form as one stream, whose length is known if the lengths of all parts are.
    package func stream() throws(ConnectionError) -> PayloadStream {
        let segments = try segments()
        var length: Int? = 0
        for segment in segments {
            guard let sum = length, let count = segment.count else {
                length = nil
                continue
            }
            let (total, isTooLarge) = sum.addingReportingOverflow(count)
            if isTooLarge { throw .malformedPayload(debugInfo: "more than \(Int.max) bytes") }
            length = total
        }
        let delimiter = Data(delimiter.utf8)
        return PayloadStream(of: self, length: length, replayable: streams.allSatisfy(\.isReplayable)) { writer in
            for segment in segments {
                switch segment {
                case .source(let source): try await source.write(to: writer)
                case .stream(let stream): try await stream.write(to: writer, without: delimiter)
                }
            }
        }
    }

    private func segments() throws(ConnectionError) -> [Segment] {
        try checkContents()
        let finder = { @Sendable [delimiter] in DelimiterScanner.finder(of: Data(delimiter.utf8)) }
        var segments: [Segment] = []
        var pieces: [PayloadSource.Piece] = []
        for content in contents {
            switch content {
            case .data(let data): pieces.append(.data(data))
            case .file(let url): pieces.append(.file(try PayloadFile(at: url)))
            case .stream(let stream):
                segments += [.source(try PayloadSource(pieces, finder: finder)), .stream(stream)]
                pieces = []
            }
        }
        return segments + [.source(try PayloadSource(pieces, finder: finder))]
    }
}

extension PayloadStream {
    /// Writes the stream as a part of a form, unless it contains the delimiter of the parts.
    fileprivate func write(to writer: PayloadWriter, without delimiter: Data) async throws(ConnectionError) {
        let hasDelimiter = DelimiterScanner.finder(of: delimiter)
        try await produce { data in
            guard !hasDelimiter(data) else {
                throw ConnectionError.malformedPayload(debugInfo: "the boundary occurs in a part")
            }
            try await writer.write(data)
        }
    }
}
