public import Foundation

/// One thing that a bad server does to a connection.
public enum ServerScriptStep: Sendable {
    /// Reads a whole request, with a body of `Content-Length` or of chunks, and records its bytes as they arrived.
    ///
    /// Bytes that are no request are recorded as far as they came, and the script goes on. If the client ends the
    /// connection before, what came is recorded, and the script is over.
    case receiveRequest

    /// Reads up to the blank line behind a request's head, and records nothing; a ``receiveRequest`` that follows reads
    /// the body, and records both.
    case receiveHead

    /// Reads so many bytes behind a head and throws them away: a body of which nothing is kept, however long it is.
    ///
    /// What comes behind them is the next request. If the client ends the connection before, the script is over.
    case discard(Int)

    /// Sends a text in UTF-8.
    case send(String)

    /// Sends bytes.
    case sendBytes([UInt8])

    /// Sends the same bytes over and over, without the whole ever being in memory.
    case sendRepeatedly(Data, times: Int)

    /// Is silent: reads and throws away until the client ends the connection, or the server is stopped.
    case waitForClose

    /// Does nothing until the gate is open, or the server is stopped.
    case wait(Latch)

    /// Opens a gate, so that a test knows how far the script is.
    case open(Latch)

    /// Ends the connection in order, behind all that was sent; so does the end of a script.
    case close

    /// Breaks the connection off (RST); what was sent just before may be lost with it.
    case reset
}

/// Plays a script to a connection.
struct ServerScript: Sendable {
    /// 64 KiB a write at least, where the same bytes are sent over and over.
    private static let blockBytes = 64 * 1024

    let received: Recorder<Data>
    let stopped: Latch

    /// Takes the steps one by one, until one of them ends the connection.
    func play(_ steps: [ServerScriptStep], to socket: LoopbackSocket) {
        var requests = RawRequests(socket: socket, received: received)
        for step in steps {
            switch step {
            case .receiveRequest: if !requests.receiveRequest() { return socket.finish() }
            case .receiveHead: if !requests.receiveHead() { return socket.finish() }
            case .discard(let count): if !requests.discard(count) { return socket.finish() }
            case .send(let text): if !socket.send(Data(text.utf8)) { return }
            case .sendBytes(let bytes): if !socket.send(Data(bytes)) { return }
            case .sendRepeatedly(let data, let times): if !send(data, times, to: socket) { return }
            case .waitForClose: while socket.receive() != nil {}
            case .wait(let gate): Latch.block(untilOneOpens: gate, stopped)
            case .open(let gate): gate.open()
            case .close: return socket.finish()
            case .reset: return socket.resetOnRelease()
            }
        }
        socket.finish()
    }

    private func send(_ data: Data, _ times: Int, to socket: LoopbackSocket) -> Bool {
        guard !data.isEmpty, times > 0 else { return true }
        let perBlock = min(times, max(1, Self.blockBytes / data.count))
        let block = Data(repeatElement(data, count: perBlock).joined())
        for _ in 0..<(times / perBlock) where !socket.send(block) { return false }
        return socket.send(block.prefix(times % perBlock * data.count))
    }
}

/// The requests of a connection, with the very bytes in which they came.
private struct RawRequests {
    let socket: LoopbackSocket
    let received: Recorder<Data>
    private var parser = HTTP1RequestParser()
    private var arrived = Data()

    /// How many bytes the parser had read before the current request.
    private var start = 0

    init(socket: LoopbackSocket, received: Recorder<Data>) {
        self.socket = socket
        self.received = received
    }

    /// False if the client ended the connection.
    mutating func receiveRequest() -> Bool {
        while true {
            switch parser.next() {
            case .needsBytes:
                guard receive() else {
                    if !arrived.isEmpty { received.append(arrived) }
                    return false
                }
            case .head: break
            case .request:
                record()
                return true
            case .refused:
                recordAll()
                return true
            }
        }
    }

    /// False if the client ended the connection.
    mutating func receiveHead() -> Bool {
        while true {
            switch parser.next() {
            case .needsBytes: guard receive() else { return false }
            case .head: return true
            case .request: forget()
            case .refused: return true
            }
        }
    }

    /// False if the client ended the connection.
    mutating func discard(_ count: Int) -> Bool {
        var rest = arrived.dropFirst(parser.consumedCount - start)
        var missing = count
        while rest.count < missing {
            missing -= rest.count
            guard let bytes = socket.receive() else { return false }
            rest = Data(bytes)[...]
        }
        (parser, arrived, start) = (HTTP1RequestParser(), Data(rest.dropFirst(missing)), 0)
        parser.append(arrived)
        return true
    }

    private mutating func receive() -> Bool {
        guard let bytes = socket.receive() else { return false }
        parser.append(bytes)
        arrived.append(contentsOf: bytes)
        return true
    }

    private mutating func record() {
        received.append(Data(arrived.prefix(parser.consumedCount - start)))
        forget()
    }

    private mutating func forget() {
        arrived = Data(arrived.dropFirst(parser.consumedCount - start))
        start = parser.consumedCount
    }

    /// After bytes that are no request, what comes next is read as if nothing had been.
    private mutating func recordAll() {
        received.append(arrived)
        (parser, arrived, start) = (HTTP1RequestParser(), Data(), 0)
    }
}
