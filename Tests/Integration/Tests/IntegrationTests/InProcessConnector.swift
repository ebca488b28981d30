import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import StartSmall
import StartSmallTesting

extension Connector {
    /// The handler of a Hummingbird server as an engine: it answers calls in this process, without a socket.
    ///
    /// An error of the handler is a 500, and one while it writes a payload is a lost connection, as over a socket.
    /// Unlike there, a cancelled call cancels the handler, and nothing adds fields such as `Date` or compresses.
    static func inProcess<Responder: HTTPResponder>(_ responder: Responder) -> Connector
    where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        Connector { input in
            do throws(ConnectionError) {
                let request = try ValidatedRequest.from(input).get()
                return .hasResponse(try await responder.response(to: request))
            } catch {
                return .noResponse(error)
            }
        }
    }
}

extension HTTPResponder where Context: InitializableFromSource<ApplicationRequestContextSource> {
    fileprivate func response(to request: ValidatedRequest) async throws(ConnectionError) -> StartSmall.Response {
        var logger = Logger(label: "in process")
        logger[metadataKey: "hb.request.id"] = "\(UUID())"
        let source = ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger)
        do {
            let response = try await respond(to: HummingbirdCore.Request(request), context: Context(source: source))
            return StartSmall.Response(response, to: request.method)
        } catch let error as ConnectionError {
            // Of a payload that could not be produced.
            throw error
        } catch {
            if Task.isCancelled { throw .cancelled }
            return StartSmall.Response(HummingbirdCore.Response(status: .internalServerError), to: request.method)
        }
    }
}

extension HummingbirdCore.Request {
    fileprivate init(_ request: ValidatedRequest) {
        let url = request.url
        let host = url.port.map { "\(url.host() ?? ""):\($0)" } ?? url.host()
        var head = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get,
            scheme: url.scheme,
            authority: request.headers["Host"] ?? host,
            path: url.path(percentEncoded: true) + (url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        )
        for field in request.headers.fields where field.name.lowercased() != "host" {
            guard let name = HTTPField.Name(field.name) else { continue }
            head.headerFields.append(HTTPField(name: name, value: field.value))
        }
        if let length = request.payload?.count ?? request.source?.count ?? request.stream?.length {
            head.headerFields[.contentLength] = "\(length)"
        }
        let payload =
            request.stream
            ?? PayloadStream { writer in
                if let bytes = request.payload { try await writer.write(bytes) }
                guard var reader = request.source?.reader() else { return }
                while let bytes = try reader.next() { try await writer.write(bytes) }
            }
        self.init(head: head, body: RequestBody(asyncSequence: Message(chunks: payload.chunks())))
    }
}

extension StartSmall.Response {
    fileprivate init(_ response: HummingbirdCore.Response, to method: String) {
        self.init(statusCode: .from(code: response.status.code), headers: HTTPHeaders(response.headers))
        // RFC 9110 8.6 forbids the length, and RFC 9112 6.3 a payload, regardless of the fields.
        if response.status == .noContent { headers["Content-Length"] = nil }
        if method == "HEAD" || [.noContent, .notModified].contains(response.status) { return }
        let (aborted, trailers, failures) = (Latch(), Recorder<HTTPHeaders>(), Recorder<any Error>())
        let payload = PayloadStream { writer in
            await withTaskGroup { group in
                group.addTask {
                    // Kept for the end: an error of a stream would overtake the bytes before it.
                    do { try await response.body.write(BodyWriter(writer: writer, trailers: trailers)) } catch {
                        failures.append(error)
                    }
                }
                group.addTask { await aborted.wait() }
                await group.next()
                group.cancelAll()
            }
        }
        let message = Message(chunks: payload.chunks())
        content = .body(
            StartSmall.ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    var iterator = message.makeAsyncIterator()
                    do {
                        if let bytes = try await iterator.next() { return Data(bytes.readableBytesView) }
                    } catch {
                        throw .cancelled
                    }
                    guard let failure = failures.elements.first else { return nil }
                    throw .connectionLost(.init(domain: "Hummingbird", code: 0, text: "\(failure)"))
                },
                trailers: { trailers.elements.last ?? [:] },
                abort: aborted.open
            )
        )
    }
}

/// The bytes of a message as they are produced: a reader that is cancelled gets an error, and no end.
private struct Message: AsyncSequence, Sendable {
    let chunks: AsyncThrowingStream<Data, any Error>

    struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncThrowingStream<Data, any Error>.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            let bytes = try await base.next(isolation: #isolation)
            try Task.checkCancellation()
            return bytes.map { ByteBuffer(bytes: $0) }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: chunks.makeAsyncIterator()) }
}

/// A writer that waits until the reader of the response has taken the bytes.
private struct BodyWriter: ResponseBodyWriter {
    let writer: PayloadWriter
    let trailers: Recorder<HTTPHeaders>

    func write(_ buffer: ByteBuffer) async throws { try await writer.write(Data(buffer.readableBytesView)) }

    consuming func finish(_ fields: HTTPFields?) async throws {
        if let fields { trailers.append(HTTPHeaders(fields)) }
    }
}

extension HTTPHeaders {
    fileprivate init(_ fields: HTTPFields) {
        self.init(fields.map { Field(name: $0.name.rawName, value: $0.value) })
    }
}
