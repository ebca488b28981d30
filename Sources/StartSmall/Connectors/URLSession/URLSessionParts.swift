import Foundation

/// The parts of a response that have arrived, and that its receiver has not yet taken.
struct URLSessionParts: Hashable, Sendable {
    /// How many bytes wait before nothing more is read: 256 KiB.
    ///
    /// A few of the pieces in which `URLSession` gives a payload, so that a fast receiver never waits for the network, and
    /// little enough for a thousand downloads at once.
    static let fullBytes = 256 * 1024

    private var head: Response?
    private var chunk = Data()

    /// Whether the response is given in parts.
    private(set) var hasBegun = false

    /// How many bytes of payload wait.
    var waitingBytes: Int { chunk.count }

    /// Whether nothing more should be read for now.
    var isFull: Bool { waitingBytes >= Self.fullBytes }

    /// A response begins, with this head.
    mutating func begin(_ head: Response) {
        (self.head, hasBegun) = (head, true)
    }

    /// Bytes of the payload arrived; those that wait together are taken together.
    mutating func append(_ data: Data) {
        if chunk.isEmpty { chunk = data } else { chunk.append(data) }
    }

    /// The next part, if one waits.
    mutating func take() -> PayloadConsumer.Part? {
        if let head {
            self.head = nil
            return .head(head)
        }
        if chunk.isEmpty { return nil }
        defer { chunk = Data() }
        return .chunk(chunk)
    }

    /// Forgets what waits.
    mutating func drop() {
        (head, chunk) = (nil, Data())
    }
}
