import Foundation

extension Output {
    /// Returns the output in the form that a request asks for, whether an engine or a wrapper made it.
    ///
    /// A payload in memory becomes a body of one chunk; a body is read where the request asks for another form. The
    /// payload of a response outside of 2xx is read into memory.
    func delivered(as input: Input) async -> Output {
        guard case .hasResponse(let response) = self else { return self }
        switch input.destination {
        case .stream where response.statusCode.isSuccess: return opened
        // Who asks for a stream has no limit in mind, and an error may come without end.
        case .stream: return await response.inMemory(limit: input.payloadLimit ?? Response.errorPayloadLimit)
        case .memory: return await response.inMemory(limit: input.payloadLimit)
        case .file, .consumer: return self
        }
    }
}

extension Output {
    /// The output with a body in place of a payload in memory, whatever the status.
    var opened: Output {
        guard case .hasResponse(var response) = self, response.body == nil else { return self }
        let trailers = response.trailers
        response.content = .body(ResponseBody(response.payload, trailers: trailers))
        response.trailers = [:]
        return .hasResponse(response)
    }
}

extension Response {
    /// The limit of the payload of an error in place of a stream, for a request without a limit: 1 MiB.
    ///
    /// A description of a problem (RFC 9457) has a few KB.
    fileprivate static let errorPayloadLimit = 1 << 20

    /// Returns the response with its body read into memory, up to a limit in bytes; nil for no limit.
    func inMemory(limit: Int?) async -> Output {
        guard let body else { return .hasResponse(self) }
        var whole = self
        whole.payload = Data()
        let limit = max(0, limit ?? .max)
        do throws(ConnectionError) {
            while let chunk = try await body.next() {
                let room = limit - whole.payload.count
                whole.payload += chunk.prefix(room)
                if chunk.count > room {
                    let error = ConnectionError.payloadTooLarge(whole, limit: limit)
                    body.interrupt(with: error)
                    return .noResponse(error)
                }
            }
        } catch {
            if case .payloadTooLarge(_, let limit) = error { return .noResponse(.payloadTooLarge(whole, limit: limit)) }
            return .noResponse(error.changingCause { $0.partial = whole })
        }
        whole.trailers = body.trailers
        return .hasResponse(whole)
    }
}
