#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl
    import StartSmallFoundation

    /// The translation of a request for libcurl.
    extension ValidatedRequest {
        /// The `User-Agent` of requests that have none.
        ///
        /// An API may refuse requests without one (GitHub does; RFC 9110 10.1.5).
        static let defaultUserAgent = "StartSmall"

        /// Whether libcurl adds fields about the payload, unless the request has or suppresses them.
        var hasPayloadFields: Bool { payload != nil || source != nil || stream != nil || mustTellLength }

        /// The number of bytes of the payload; nil without a payload, or if it is not known.
        var payloadCount: Int? { payload?.count ?? source?.count ?? stream?.length }

        /// The largest payload, in bytes, that is sent without asking: 1 MiB.
        ///
        /// libcurl asks for larger ones and for those of unknown size, unless it is told not to (`EXPECT_100_THRESHOLD`
        /// in lib/http.h, 7.81 to 8.23; in 7.88, for smaller files, too).
        private static let sentUnasked = 1 << 20

        /// Whether libcurl asks before it sends the payload, by `Expect: 100-continue` (RFC 9110 10.1.1).
        ///
        /// The request has that field, but libcurl is not given the field: it sends its own, and after 417 once more
        /// without it. A field that it was given would be sent again after each 417, thousands of times in 7.88.
        var asksToContinue: Bool {
            guard headers.fields.contains(where: \.expectsContinue) else { return false }
            if let payloadCount { return payloadCount > Self.sentUnasked }
            return stream != nil
        }

        /// Returns the lines for `CURLOPT_HTTPHEADER`.
        ///
        /// A line is `Name: value`, `Name;` for an empty value, or `Name:` to suppress a field that libcurl would add.
        func fieldLines(for options: ConnectionOptions) -> [String] {
            var lines = headers.fields.compactMap { field -> String? in
                // libcurl sends the length itself, by the payload that it has.
                if field.name.utf8.count == 14, field.name.lowercased() == "content-length" { return nil }
                if field.expectsContinue { return nil }
                let value = field.value.trimmingWhitespace
                return value.isEmpty ? "\(field.name);" : "\(field.name): \(value)"
            }
            if !headers.contains("Accept-Encoding"), options.decompression == .automatic {
                // A part of a coded payload can't be decoded (as in the WHATWG Fetch standard, 4.6).
                let codings = headers.contains("Range") ? "identity" : ConnectionOptions.codings
                if let codings { lines.append("Accept-Encoding: \(codings)") }
            }
            if !headers.contains("Accept") { lines.append("Accept:") }
            let hasOtherExpectation = headers.fields.contains { $0.isExpect && !$0.expectsContinue }
            if hasPayloadFields, !asksToContinue, !hasOtherExpectation { lines.append("Expect:") }
            if !headers.contains("User-Agent") { lines.append("User-Agent: \(Self.defaultUserAgent)") }
            if hasPayloadFields, !headers.contains("Content-Type") { lines.append("Content-Type:") }
            return lines
        }
    }

    extension HTTPHeaders {
        /// Whether the request itself asks for codings (RFC 9110 12.5.3), and only for others than the known ones.
        func asksOnlyForCodings(beyond known: Set<String>) -> Bool {
            guard contains("Accept-Encoding") else { return false }
            let asked = values(of: "Accept-Encoding").flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            let names = asked.map { $0.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != 0x20 && $0 != 0x09 } }
            return !names.isEmpty
                && names.allSatisfy { !known.contains(String(decoding: $0, as: UTF8.self).lowercased()) }
        }
    }

    extension HTTPHeaders.Field {
        fileprivate var isExpect: Bool { name.utf8.count == 6 && name.lowercased() == "expect" }

        /// Whether the field has the expectation `100-continue`, as libcurl searches a field for it.
        fileprivate var expectsContinue: Bool { isExpect && value.lowercased().contains("100-continue") }
    }

    extension String {
        fileprivate var trimmingWhitespace: String {
            let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
            guard let first, let last, isBlank(first) || isBlank(last) else { return self }
            let trimmed = drop(while: isBlank)
            return trimmed.lastIndex { !isBlank($0) }.map { String(trimmed[...$0]) } ?? ""
        }
    }

    /// The payload of a request, which libcurl's thread reads piece by piece.
    ///
    /// The payload is bytes in memory, or a source that is read from the disk only when libcurl asks for its bytes, or
    /// a stream that is produced meanwhile.
    struct CurlRequestPayload: ~Copyable {
        private enum Content {
            case data(Data)
            case source(PayloadSource)
            case production(PayloadProduction)
        }

        /// The value by which the C side recognizes that the payload can't be read.
        static let unreadable = Int.max

        /// The value by which the C side recognizes that there are no bytes yet.
        static let pending = Int(ccurl_source_pending)

        /// The number of bytes; nil if it is not known.
        let count: Int?

        /// The reason why the payload can't be read, after reading failed.
        private(set) var failure: ConnectionError?

        private let content: Content
        private var reader: PayloadReader?
        private var position = 0

        init(_ data: Data) {
            count = data.count
            content = .data(data)
        }

        init(_ source: PayloadSource) {
            count = source.count
            content = .source(source)
        }

        init(_ production: PayloadProduction) {
            count = production.length
            content = .production(production)
        }

        /// Whether the payload may be pending.
        var isProduced: Bool { if case .production = content { true } else { false } }

        /// Copies the bytes at this offset into a buffer, as far as there is room.
        ///
        /// - Returns: The number of copied bytes, or ``unreadable``, or ``pending``.
        mutating func read(from offset: Int, into room: UnsafeMutableRawBufferPointer) -> Int {
            switch content {
            case .data(let data):
                guard offset < data.count else { return 0 }
                let start = data.startIndex + offset
                let part = data[start..<(start + min(room.count, data.count - offset))]
                part.copyBytes(to: room)
                return part.count
            case .source(let source):
                do {
                    return try read(source, from: offset, into: room)
                } catch {
                    failure = error
                    return Self.unreadable
                }
            case .production(let production):
                switch production.read(from: offset, into: room) {
                case .bytes(let count): return count
                case .end: return 0
                case .pending: return Self.pending
                case .failed(let error):
                    failure = error
                    return Self.unreadable
                }
            }
        }

        /// Reads a source from an offset on.
        ///
        /// A source is readable only from its beginning: to go back is to start over, as after a connection was closed.
        private mutating func read(
            _ source: PayloadSource,
            from offset: Int,
            into room: UnsafeMutableRawBufferPointer
        ) throws(ConnectionError) -> Int {
            if reader == nil || offset < position {
                reader = source.reader()
                position = 0
            }
            while true {
                let wanted = offset > position ? min(offset - position, PayloadReader.defaultSize) : room.count
                guard let bytes = try reader?.next(atMost: wanted) else { return 0 }
                let isBefore = position < offset
                position += bytes.count
                if isBefore { continue }
                bytes.copyBytes(to: room)
                return bytes.count
            }
        }
    }
#endif
