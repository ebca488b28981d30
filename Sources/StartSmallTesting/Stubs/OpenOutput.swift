package import Foundation
package import StartSmall

extension Output {
    /// Returns a response with an open body, as an engine does for a payload that is not for the memory.
    ///
    /// - Parameters:
    ///   - head: the status and the header fields.
    ///   - chunks: the chunks of the payload.
    ///   - trailers: the fields after a complete payload.
    ///   - failure: the error after the chunks; nil for a complete payload.
    ///   - isSilent: whether nothing follows the chunks, until the body is ended from outside.
    ///   - taken: receives each chunk after the reader has taken it, that is when the reader asks for more.
    package static func open(
        _ head: Response,
        _ chunks: [some Sequence<UInt8>],
        trailers: HTTPHeaders = [:],
        then failure: ConnectionError? = nil,
        silent isSilent: Bool = false,
        taken: @escaping @Sendable (Data) -> Void = { _ in }
    ) -> Output {
        let (rest, last, aborted) = (Locked(chunks.map { Data($0) }[...]), Locked<Data?>(nil), Latch())
        var response = head
        response.content = .body(
            ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    if let chunk = last.withLock({ $0.take() }) { taken(chunk) }
                    if let chunk = rest.withLock({ $0.popFirst() }) {
                        last.withLock { $0 = chunk }
                        return chunk
                    }
                    if isSilent {
                        await aborted.wait()
                        throw .cancelled
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
