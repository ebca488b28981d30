import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import StartSmallTesting

/// What the servers answer.
enum Routes {
    /// What is known of the connection that a request came on.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let httpVersion: String
        let client: String

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            // A stream of HTTP/2 is a channel in the connection's channel, which is one in the server's.
            httpVersion = source.channel.parent?.parent == nil ? "1.1" : "2"
            client = source.channel.remoteAddress?.ipAddress ?? "none"
        }
    }

    /// A text that compresses well.
    static let text = String(repeating: "To be, or not to be. ", count: 50)

    /// ``text`` as the `brotli` of node 20.20 compresses it: nothing in Swift does.
    static let textInBrotli = Data(base64Encoded: "GxkE+J0Hti25/LLYsyCHF5YgVHJV9pZibnQNwuJCJyoMEva70HWHAA==")!

    /// Bytes in which each block is told from the others, so that what is lost or exchanged is seen.
    static func bytes(_ count: Int) -> Data {
        let block = (0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        var data = Data(capacity: count + block.count)
        while data.count < count {
            data.append(contentsOf: block)
            withUnsafeBytes(of: UInt32(data.count).bigEndian) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    static func router(_ requested: Recorder<String>, _ barrier: Barrier) -> Router<Context> {
        let router = Router(context: Context.self)
        router.add(middleware: RecordingMiddleware(requested: requested))
        router.get("/hello") { _, context in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain", .httpVersion: context.httpVersion, .client: context.client],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "hello"))
            )
        }
        router.on("/echo", method: .post) { request, context in
            var headers = HTTPFields()
            headers[.httpVersion] = context.httpVersion
            headers[.contentType] = request.headers[.contentType]
            return Response(status: .ok, headers: headers, body: ResponseBody(asyncSequence: request.body))
        }
        router.get("/fields") { request, _ in request.headers.map { "\($0.name.canonicalName): \($0.value)\n" }.joined()
        }
        router.put("/bytes/{count}") { request, context in
            let expected = bytes(try context.parameters.require("count", as: Int.self))
            let came = try await request.body.collect(upTo: expected.count + 1)
            return Response(
                status: Data(came.readableBytesView) == expected ? .created : .unprocessableContent,
                headers: [.httpVersion: context.httpVersion],
                body: ResponseBody(byteBuffer: ByteBuffer(string: "\(came.readableBytes) bytes"))
            )
        }
        router.get("/bytes/{count}") { request, context in
            let bytes = bytes(try context.parameters.require("count", as: Int.self))
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        router.get("/zeros/{count}") { request, context in
            let zeros = ByteBuffer(repeating: 0, count: try context.parameters.require("count", as: Int.self))
            return Response(status: .ok, body: ResponseBody(byteBuffer: zeros))
        }
        router.get("/text") { _, _ in text }
        router.get("/brotli") { _, _ in
            Response(
                status: .ok,
                headers: [.contentEncoding: "br"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: textInBrotli))
            )
        }
        router.get("/broken") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: 10) { writer in
                    try await writer.write(ByteBuffer(string: "hello"))
                    throw CancellationError()
                }
            )
        }
        router.get("/redirect") { request, _ in
            let target = request.uri.queryParameters["to"].map(String.init) ?? "/hello"
            return Response(status: .found, headers: [.location: target])
        }
        router.get("/barrier/{count}/{name}") { _, context in
            barrier.arrive()
            await barrier.wait(for: try context.parameters.require("count", as: Int.self))
            return Response(
                status: .ok,
                headers: [.httpVersion: context.httpVersion],
                body: ResponseBody(byteBuffer: ByteBuffer(string: try context.parameters.require("name")))
            )
        }
        // Answers when so many are at the barrier.
        router.get("/arrived/{count}") { _, context in
            await barrier.wait(for: try context.parameters.require("count", as: Int.self))
            return "yes"
        }
        return router
    }
}

extension HTTPField.Name {
    static let httpVersion = Self("X-HTTP-Version")!
    static let client = Self("X-Client")!
}

/// Where requests wait until as many are there as were expected: proof that they are on their way at once.
struct Barrier: Sendable {
    private let arrived = Recorder<Void>()
    private let waiting = Recorder<(count: Int, gate: Gate)>()
    private let released = Recorder<Void>()

    func arrive() {
        arrived.append(())
        openGates()
    }

    func wait(for count: Int) async {
        let gate = Gate()
        waiting.append((count, gate))
        openGates()
        await gate.wait()
    }

    /// Lets all go who wait, and whoever comes later.
    func release() {
        released.append(())
        openGates()
    }

    private func openGates() {
        let count = released.elements.isEmpty ? arrived.elements.count : .max
        for waiting in waiting.elements where waiting.count <= count { waiting.gate.open() }
    }
}

private struct RecordingMiddleware: RouterMiddleware {
    typealias Context = Routes.Context

    let requested: Recorder<String>

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        requested.append(request.uri.string)
        return try await next(request, context)
    }
}
