import StartSmallSupport
import StartSmallFoundation

extension Output {
    /// Returns the output in the form that a request asks for, whether an engine or a wrapper made it.
    ///
    /// A payload in memory becomes a body of one chunk, or a file; a body is read where the request asks for another
    /// form. The payload of a response outside of 2xx is read into memory. No error keeps a file or a body.
    @usableFromInline
    package func delivered(as input: Input, _ context: CallContext) async -> Output {
        guard case .hasResponse(let response) = self else { return withoutTransfer }
        // Nothing of it is read: the first reader may still need the rest.
        if response.body?.hasReader == true {
            return .noResponse(ConnectionError.other(.secondReader).keeping(response.head))
        }
        guard response.statusCode.isSuccess else {
            if response.isComplete { return self }
            return await response.inMemory(limit: input.payloadLimit, context.errorPayloadLimit)
        }
        switch input.delivery {
        case .stream: return opened
        case .file(let place): return await response.inFile(beside: place, of: input, context)
        case .memory: return await response.inMemory(limit: input.payloadLimit)
        }
    }

    /// The output as an error keeps it.
    private var withoutTransfer: Output {
        guard case .noResponse(let error) = self, let response = error.response, !response.isComplete else {
            return self
        }
        response.body?.discard()
        return .noResponse(error.changingResponse { $0.withoutTransfer })
    }
}

extension ConnectionError {
    /// Returns the error with a head, unless it has a response, and with the number of bytes that arrived after it.
    package func keeping(_ head: Response, delivering count: Int) -> ConnectionError {
        keeping(head).changingResponse { $0.delivering(count) }
    }
}

extension Output {
    /// The output with a body in place of a payload in memory or in a file, whatever the status.
    var opened: Output {
        guard case .hasResponse(var response) = self, response.body == nil else { return self }
        response.content = .body(response.opened)
        response.trailers = [:]
        return .hasResponse(response)
    }
}

extension Response {
    /// The response as events and errors keep it: with its payload in memory, or with the size of its file.
    var withoutTransfer: Response {
        if isComplete { return self }
        var response = self
        response.content = .data(Data())
        if case .file(let file) = content { return response.delivering(file.size) }
        return response
    }

    /// The payload as a body, whatever its form.
    fileprivate var opened: ResponseBody {
        switch content {
        case .body(let body): return body
        case .data, .delivered: return ResponseBody(payload, trailers: trailers)
        case .file(let file):
            let rest = Locked<TemporaryFile?>(file)
            return ResponseBody(
                pulling: { () async throws(ConnectionError) -> Data? in
                    guard let file = rest.withLock({ $0.take() }) else { return nil }
                    return try await file.contents()
                }
            )
        }
    }

    /// Returns the response with its payload in a file beside a place.
    ///
    /// A part of the payload (206) must be the one that the request asked for, and all of it: an unrequested part would
    /// replace a complete file.
    func inFile(beside place: URL, of input: Input, _ context: CallContext) async -> Output {
        if case .file = content { return .hasResponse(self) }
        let (body, head, range) = (opened, head, contentRange.map { $0.end - $0.start })
        var count = 0
        do throws(ConnectionError) {
            if statusCode == .partialContent, input.headers["Range"].map(isPart) != true {
                throw .malformedResponse(.wrongRange(head))
            }
            let file = try await context.temporaryFiles.file(beside: place) { file async throws(ConnectionError) in
                let size = file.size
                count = size
                guard let chunk = try await body.next() else {
                    guard let range, size != range else { return .end }
                    throw .connectionLost(.shortRange(head, size: size, total: range))
                }
                if let range, range - size < chunk.count { throw .malformedResponse(.wrongRange(head)) }
                return .chunk(chunk)
            }
            var response = head
            (response.content, response.trailers) = (.file(file), trailers.merging(body.trailers))
            return .hasResponse(response)
        } catch {
            body.interrupt(with: error)
            return .noResponse(error.keeping(head, delivering: count))
        }
    }

    /// Returns the response with its payload read into memory, up to a limit in bytes; nil for no limit.
    func inMemory(limit: Int?, _ errorLimit: ErrorPayloadLimit? = nil) async -> Output {
        if isComplete { return .hasResponse(self) }
        let body = opened
        var whole = self
        whole.content = .data(Data())
        let limit = max(0, min(limit ?? .max, errorLimit?.bytes ?? .max))
        let stopTimer = errorLimit?.startTimer(for: body)
        defer { stopTimer?() }
        do throws(ConnectionError) {
            while let chunk = try await body.next() {
                if !whole.append(chunk, upTo: limit) {
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
