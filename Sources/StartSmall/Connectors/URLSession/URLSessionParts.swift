import Foundation

/// The parts of a response that have arrived, and that its reader has not yet taken.
struct URLSessionParts: Equatable, Sendable {
    /// A part of a response.
    enum Part: Equatable, Sendable {
        /// The status and the header fields.
        case head(Response)

        /// The next bytes of the payload, never empty.
        case chunk(Data)
    }

    /// The number of waiting bytes at which reading pauses: 256 KiB.
    ///
    /// That is a few of the pieces in which `URLSession` delivers a payload, so that a fast reader never waits for
    /// the network, and small enough for a thousand downloads at once.
    static let fullBytes = 256 * 1024

    private var head: Response?
    private var chunk = Data()

    /// Whether the response is delivered in parts.
    private(set) var hasBegun = false

    /// The number of payload bytes that wait.
    var waitingBytes: Int { chunk.count }

    /// Whether reading should pause.
    var isFull: Bool { waitingBytes >= Self.fullBytes }

    /// Begins a response with this head.
    mutating func begin(_ head: Response) {
        (self.head, hasBegun) = (head, true)
    }

    /// Appends bytes of the payload; all waiting bytes are taken together.
    mutating func append(_ data: Data) {
        if chunk.isEmpty { chunk = data } else { chunk.append(data) }
    }

    /// Takes the next part, if one waits.
    mutating func take() -> Part? {
        if let head {
            self.head = nil
            return .head(head)
        }
        if chunk.isEmpty { return nil }
        defer { chunk = Data() }
        return .chunk(chunk)
    }

    /// Drops the waiting parts.
    mutating func drop() {
        (head, chunk) = (nil, Data())
    }
}
