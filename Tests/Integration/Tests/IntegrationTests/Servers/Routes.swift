import Foundation
import HTTPTypes
import HummingbirdCore
import NIOCore
import StartSmallTesting

/// The routes of the servers.
struct Routes: Sendable {
    /// The requested paths, in order.
    let requested: Recorder<String>

    let barrier: Barrier

    /// The Date of all responses.
    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    /// A text that compresses well.
    static let text = String(repeating: "To be, or not to be. ", count: 50)

    /// Bytes in which each block is unique, so that lost or exchanged blocks are detected.
    static func bytes(_ count: Int) -> Data {
        let block = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var data = Data(capacity: count + block.count)
        while data.count < count {
            data.append(contentsOf: block)
            withUnsafeBytes(of: UInt32(data.count).bigEndian) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    /// The response to a request on a connection, or on a stream of one.
    func response(to request: Request, on channel: any Channel) async throws -> Response {
        requested.append(request.uri.string)
        // A stream of HTTP/2 is a channel in the connection's channel, which is one in the server's.
        let httpVersion = channel.parent?.parent == nil ? "1.1" : "2"
        let path = request.uri.path.split(separator: "/").map(String.init)
        switch (request.method, path.first, path.dropFirst().first.flatMap(Int.init)) {
        case (.get, "hello", nil):
            let client = channel.remoteAddress?.ipAddress ?? "none"
            return .text("hello", [.contentType: "text/plain", .httpVersion: httpVersion, .client: client])
        case (.post, "echo", nil):
            var headers: HTTPFields = [.httpVersion: httpVersion]
            headers[.contentType] = request.headers[.contentType]
            return Response(status: .ok, headers: headers, body: ResponseBody(asyncSequence: request.body))
        case (.get, "fields", nil):
            return .text(request.headers.map { "\($0.name.canonicalName): \($0.value)\n" }.joined())
        case (.put, "bytes", let count?):
            let expected = Self.bytes(count)
            let came = try await request.body.collect(upTo: expected.count + 1)
            let isRight = Data(came.readableBytesView) == expected
            return .text(
                "\(came.readableBytes) bytes",
                status: isRight ? .created : .unprocessableContent,
                [.httpVersion: httpVersion]
            )
        case (.get, "zeros", let count?):
            let zeros = ByteBuffer(repeating: 0, count: count)
            return Response(status: .ok, headers: [:], body: ResponseBody(byteBuffer: zeros))
        case (.get, "text", nil): return .text(Self.text)
        case (.get, "broken", nil):
            let broken = ResponseBody(contentLength: 10) { writer in
                try await writer.write(ByteBuffer(string: "hello"))
                throw CancellationError()
            }
            return Response(status: .ok, body: broken)
        case (.get, "redirect", nil):
            let target = request.uri.queryParameters["to"].map(String.init) ?? "/hello"
            return Response(status: .found, headers: [.location: target])
        case (.get, "barrier", let count?):
            barrier.arrive()
            await barrier.wait(for: count)
            return .text(path.last ?? "", [.httpVersion: httpVersion])
        // Answers when that many requests are at the barrier.
        case (.get, "arrived", let count?):
            await barrier.wait(for: count)
            return .text("yes")
        default: return Response(status: .notFound)
        }
    }
}

extension Response {
    fileprivate static func text(
        _ text: String,
        status: HTTPResponse.Status = .ok,
        _ headers: HTTPFields = [.contentType: "text/plain; charset=utf-8"]
    ) -> Response {
        Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension HTTPField.Name {
    static let httpVersion = Self("X-HTTP-Version")!
    static let client = Self("X-Client")!
}

/// A point at which requests wait until the expected number has arrived: proof that they are concurrent.
struct Barrier: Sendable {
    private let arrived = Recorder<Void>()
    private let waiting = Recorder<(count: Int, latch: Latch)>()
    private let released = Recorder<Void>()

    func arrive() {
        arrived.append(())
        openLatches()
    }

    func wait(for count: Int) async {
        let latch = Latch()
        waiting.append((count, latch))
        openLatches()
        await latch.wait()
    }

    /// Resumes all waiting requests, and any later one.
    func release() {
        released.append(())
        openLatches()
    }

    private func openLatches() {
        let count = released.elements.isEmpty ? arrived.elements.count : .max
        for waiting in waiting.elements where waiting.count <= count { waiting.latch.open() }
    }
}
