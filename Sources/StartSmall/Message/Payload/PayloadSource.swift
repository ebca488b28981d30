import Foundation

/// The bytes of a payload as they are sent: what is in memory, and what is in files, which is read only then.
///
/// The length of each file is known, and promised in `Content-Length`, before the first byte is read; a file that is
/// another one by then is an error, and never a message that is cut short.
public struct PayloadSource: Hashable, Sendable {
    /// Bytes that follow each other.
    enum Piece: Hashable, Sendable {
        /// Bytes in memory.
        case data(Data)

        /// All that a file holds.
        case file(PayloadFile)
    }

    /// What is sent, in order; two pieces in memory never follow each other, and none of them is empty.
    let pieces: [Piece]

    /// What no file may hold, as it would end a part of a form; nil if anything goes.
    let delimiter: Data?

    /// How many bytes are sent.
    public let count: Int

    /// Looks at the files of a content, without reading them.
    ///
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)`` if a file is gone, out of reach, or not a regular file,
    ///   or if a form can't be written.
    public init(_ content: Payload.Content) throws(ConnectionError) {
        switch content {
        case .data(let data): try self.init([.data(data)])
        case .file(let url): try self.init([.file(PayloadFile(at: url))])
        case .multipart(let form): try self.init(form.pieces(), delimiter: Data(form.delimiter.utf8))
        }
    }

    init(_ pieces: [Piece], delimiter: Data? = nil) throws(ConnectionError) {
        var joined: [Piece] = []
        var pending = Data()
        var count = 0
        for piece in pieces {
            let (sum, isTooLarge) = count.addingReportingOverflow(piece.count)
            if isTooLarge { throw .malformedPayload(debugInfo: "more than \(Int.max) bytes") }
            count = sum
            switch piece {
            case .data(let data) where pending.isEmpty: pending = data
            case .data(let data): pending += data
            case .file:
                if !pending.isEmpty { joined.append(.data(pending)) }
                pending = Data()
                joined.append(piece)
            }
        }
        if !pending.isEmpty { joined.append(.data(pending)) }
        (self.pieces, self.delimiter, self.count) = (joined, delimiter, count)
    }
}

extension PayloadSource {
    /// One reading, from the beginning; any number of them may be going on at once.
    public func reader() -> PayloadReader {
        PayloadReader(of: self)
    }

    /// All bytes if none of them is in a file, or nil.
    var inMemory: Data? {
        switch pieces.first {
        case nil: Data()
        case .data(let data)? where pieces.count == 1: data
        default: nil
        }
    }
}

extension PayloadSource.Piece {
    var count: Int {
        switch self {
        case .data(let data): data.count
        case .file(let file): file.stamp.count
        }
    }
}

extension PayloadSource: CustomStringConvertible, CustomReflectable {
    /// The size and the number of files; never the content.
    public var description: String {
        let files = pieces.filter { if case .file = $0 { true } else { false } }.count
        return "\(count) bytes" + (files == 0 ? "" : files == 1 ? " with 1 file" : " with \(files) files")
    }

    /// What `dump` and failed tests show: the same as ``description``.
    public var customMirror: Mirror {
        Mirror(self, children: ["source": description])
    }
}
