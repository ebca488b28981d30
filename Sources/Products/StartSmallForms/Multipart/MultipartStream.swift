public import StartSmallCore
import StartSmallEngines
import StartSmallFoundation

extension MultipartForm.Part {
    /// Creates a part of the bytes that `stream` produces while they are sent.
    ///
    /// If the length of a stream is not known, the length of the form is not known either. A form with a stream that is
    /// not replayable is never sent twice.
    ///
    /// - SeeAlso: ``data(_:_:fileName:mediaType:)``
    public static func stream(
        _ name: String,
        _ stream: PayloadStream,
        fileName: String? = nil,
        mediaType: MediaType? = .octetStream
    ) -> MultipartForm.Part {
        MultipartForm.Part(name: name, content: .stream(stream), fileName: fileName, mediaType: mediaType)
    }
}

extension MultipartForm {
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
        let finder = delimiterFinder
        var segments: [Segment] = []
        var pieces: [PayloadSource.Piece] = []
        for content in try self.pieces() {
            switch content {
            case .data(let data): pieces.append(.data(data))
            case .file(let url): pieces.append(.file(try PayloadFile(at: url)))
            case .stream(let stream):
                segments += [.source(try PayloadSource(pieces, finder: finder)), .stream(stream)]
                pieces = []
            case .assembled: throw Part.isForm
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
