public import Foundation

/// A step of a faulty server's script for a connection.
public enum ServerScriptStep: Sendable {
    /// Reads a complete request, with a body by `Content-Length` or in chunks, and records its bytes as they arrived.
    ///
    /// Malformed bytes are recorded as far as they arrived, and the script continues. If the client ends the connection
    /// earlier, the arrived bytes are recorded, and the script ends.
    case receiveRequest

    /// Reads up to the blank line after a request's head, and records nothing.
    ///
    /// A following ``receiveRequest`` reads the body, and records both.
    case receiveHead

    /// Reads and discards a number of bytes after a head, for bodies of any length without memory.
    ///
    /// The bytes after them are the next request. If the client ends the connection earlier, the script ends.
    case discard(Int)

    /// Sends a UTF-8 text.
    case send(String)

    /// Sends bytes.
    case sendBytes([UInt8])

    /// Sends the same bytes repeatedly, without holding all of them in memory.
    case sendRepeatedly(Data, times: Int)

    /// Sends nothing: reads and discards until the client ends the connection, or the server is stopped.
    case waitForClose

    /// Waits until the latch is open, or the server is stopped.
    case wait(Latch)

    /// Opens a latch, so that a test can observe the progress of the script.
    case open(Latch)

    /// Closes the connection gracefully after all sent bytes; the end of a script does so too.
    case close

    /// Resets the connection (RST); bytes sent just before may be lost.
    case reset
}

/// A player of scripts to connections.
struct ServerScript: Sendable {
    /// The minimum of 64 KiB per write when the same bytes are sent repeatedly.
    private static let blockBytes = 64 * 1024

    let received: Recorder<Data>
    let stopped: Latch

    /// Executes the steps in order, until one of them ends the connection.
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

/// The requests of a connection, with the exact bytes in which they arrived.
private struct RawRequests {
    let socket: LoopbackSocket
    let received: Recorder<Data>
    private var parser = HTTP1RequestParser()

    init(socket: LoopbackSocket, received: Recorder<Data>) {
        (self.socket, self.received) = (socket, received)
    }

    /// Reads and records a request; returns false if the client ended the connection.
    mutating func receiveRequest() -> Bool {
        while true {
            switch parser.next() {
            case .needsBytes:
                if receive() { continue }
                let bytes = parser.read + parser.rest
                if !bytes.isEmpty { received.append(Data(bytes)) }
                return false
            case .head: continue
            case .request:
                received.append(Data(parser.read))
                return true
            case .refused:
                received.append(Data(parser.read + parser.rest))
                parser = HTTP1RequestParser()
                return true
            }
        }
    }

    /// Reads a request's head; returns false if the client ended the connection.
    mutating func receiveHead() -> Bool {
        while true {
            switch parser.next() {
            case .needsBytes: guard receive() else { return false }
            case .head, .refused: return true
            case .request: continue
            }
        }
    }

    /// Reads and discards bytes; returns false if the client ended the connection.
    mutating func discard(_ count: Int) -> Bool {
        var rest = parser.rest
        var missing = count
        while rest.count < missing {
            missing -= rest.count
            guard let bytes = socket.receive() else { return false }
            rest = bytes[...]
        }
        parser = HTTP1RequestParser()
        parser.append(rest.dropFirst(missing))
        return true
    }

    private mutating func receive() -> Bool {
        guard let bytes = socket.receive() else { return false }
        parser.append(bytes)
        return true
    }
}
