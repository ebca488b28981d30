import StartSmall
public import StartSmallCore
public import StartSmallStreams
import StartSmallSupport
public import Foundation

extension Connector {
    /// Returns a stub that delivers its payload in parts, like a server that keeps sending.
    ///
    /// ```swift
    /// let server = Connector.stub(parts: ["data: Hello\n\n", "data: [DONE]\n\n"])
    /// ```
    ///
    /// The stub delivers the next part when the reader has taken the previous one, and delivers none after
    /// the call is cancelled or the reader stops. The payload is delivered as a whole if it goes into memory, or if the
    /// status is no success. Without a `Content-Type`, the response has the media type that the request's `Accept`
    /// names, if it names one.
    ///
    /// A test of a time limit needs a response that stays open: with `until:`, nothing follows the parts until the test
    /// opens a latch, or forever if it never does. Meanwhile, the call can be cancelled.
    ///
    /// - Parameters:
    ///   - parts: the payload, cut anywhere; empty parts are omitted.
    ///   - status: the status of the response.
    ///   - headers: the header fields of the response.
    ///   - failure: the error that ends the call after the last part, such as a lost connection; nil for a complete
    ///     response.
    ///   - release: a latch that ends the response when opened; nil to end it after the last part.
    ///   - sent: records the inputs.
    public static func stub(
        parts: some Sequence<Data>,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        until release: Latch? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let response = ResponseInParts(Array(parts), status, headers, failure, until: release)
        return stub(recording: sent) { input in await response.output(for: input) }
    }

    /// Returns a stub that delivers a UTF-8 text in parts, like a server that keeps sending.
    ///
    /// - SeeAlso: ``stub(parts:status:headers:failingWith:until:recording:)-(Sequence<Data>,_,_,_,_,_)``
    public static func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        until release: Latch? = nil,
        recording sent: Recorder<Input>? = nil
    ) -> Connector {
        let response = ResponseInParts(parts.map { Data($0.utf8) }, status, headers, failure, until: release)
        return stub(recording: sent) { input in await response.output(for: input) }
    }
}

extension StreamEndpoint {
    /// Returns a stub of this endpoint that delivers its payload as text in parts.
    ///
    /// - SeeAlso: ``Connector/stub(parts:status:headers:failingWith:until:recording:)-(Sequence<Data>,_,_,_,_,_)``
    public func stub(
        parts: [String],
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        failingWith failure: ConnectionError? = nil,
        until release: Latch? = nil
    ) -> EndpointStub {
        EndpointStub(input, ResponseInParts(parts.map { Data($0.utf8) }, status, headers, failure, until: release))
    }

    /// Returns a stub of this endpoint with a custom output, such as a problem: `.json(encoding: problem, status: …)`.
    public func stub(_ output: Output) -> EndpointStub { EndpointStub(input, output) }
}

struct ResponseInParts: Sendable {
    private let parts: [Data]
    private let status: HTTPStatus
    private let headers: HTTPHeaders
    private let failure: ConnectionError?
    private let release: Latch?

    init(
        _ parts: [Data],
        _ status: HTTPStatus,
        _ headers: HTTPHeaders,
        _ failure: ConnectionError?,
        until release: Latch?
    ) {
        (self.parts, self.status, self.headers) = (parts, status, headers)
        (self.failure, self.release) = (failure, release)
    }

    var wholeOutput: Output { output(whole: Response(statusCode: status, headers: headers)) }

    /// Returns the output of a call, with a body of the parts for a stream.
    func output(for input: Input) async -> Output {
        var head = Response(statusCode: status, headers: headers)
        // The type of an `Accept` that names one, and no range of media types (RFC 9110 12.5.1).
        if let accepted = input.headers["Accept"], !accepted.contains(where: "*,;".contains) {
            head.headers.setIfAbsent("Content-Type", to: accepted)
        }
        if input.delivery == .stream, status.isSuccess { return .open(head, parts, then: failure, until: release) }
        guard let release else { return output(whole: head) }
        await release.wait()
        return release.isOpen ? output(whole: head) : .noResponse(.cancelled)
    }

    private func output(whole head: Response) -> Output {
        var response = head
        response.payload = parts.reduce(Data(), +)
        return failure.map(Output.noResponse) ?? .hasResponse(response)
    }
}

extension Output {
    /// Returns a response with an open body, as an engine does for a payload that is not for the memory.
    ///
    /// - Parameters:
    ///   - trailers: the fields after a complete payload.
    ///   - failure: the error after the chunks; nil for a complete payload.
    ///   - release: a latch for which the end of the body waits; nil to wait for nothing.
    ///   - isSilent: whether nothing follows the chunks, until the body is ended from outside.
    ///   - taken: receives each chunk after the reader has taken it, that is when the reader asks for more.
    package static func open(
        _ head: Response,
        _ chunks: [some Sequence<UInt8>],
        trailers: HTTPHeaders = [:],
        then failure: ConnectionError? = nil,
        until release: Latch? = nil,
        silent isSilent: Bool = false,
        taken: @escaping @Sendable (Data) -> Void = { _ in }
    ) -> Output {
        let (rest, last, aborted) = (Locked(chunks.map { Data($0) }[...]), Locked<Data?>(nil), Latch())
        let release = isSilent ? Latch() : release
        var response = head
        response.content = .body(
            ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    if let chunk = last.withLock({ $0.take() }) { taken(chunk) }
                    if let chunk = rest.withLock({ $0.popFirst() }) {
                        last.withLock { $0 = chunk }
                        return chunk
                    }
                    if let release {
                        await release.wait(or: aborted)
                        if aborted.isOpen || !release.isOpen { throw .cancelled }
                    }
                    if let failure { throw failure }
                    return nil
                },
                trailers: { trailers },
                abort: aborted.open
            )
        )
        return .hasResponse(response)
    }
}
