#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import CCurl
    import StartSmallFoundation

    /// The result that libcurl left of a transfer.
    struct TransferResult: Sendable {
        /// The lines of all heads and of the trailers, followed by the payload unless it is in `payload`.
        var bytes: [UInt8]

        /// The number of bytes of `bytes` that are lines.
        var headCount: Int

        /// A payload that is too large to be copied.
        var payload: Data?

        /// The failure that libcurl reports, or nil if libcurl reports none.
        var failure: CurlFailure?

        /// The reason why the request's payload could not be read, or nil if it could.
        var bodyFailure: ConnectionError?

        /// Whether the head contradicts itself about the payload, so that it is discarded (RFC 9112 6.3).
        var isHeadRefused = false

        /// Whether the payload was cut at its limit.
        var isOverLimit = false

        /// Whether the payload is taken in parts, so that only the rest is left here.
        var isInParts = false

        mutating func takeRest() -> Data? {
            guard isInParts else { return nil }
            let rest = payload ?? Data(bytes.dropFirst(headCount))
            payload = nil
            bytes.removeLast(bytes.count - headCount)
            return rest.isEmpty ? nil : rest
        }

        func output(at url: URL?, payloadLimit: Int?) -> Output {
            var response = response
            response?.url = url
            if let response, failure == nil { return .hasResponse(response) }
            if let bodyFailure { return .noResponse(bodyFailure) }
            if isOverLimit, let response, let payloadLimit {
                return .noResponse(.payloadTooLarge(response, limit: payloadLimit))
            }
            return .noResponse(ConnectionError(failure ?? .endedInHead, partial: isHeadRefused ? nil : response))
        }

        /// The response as far as it has arrived, if its head is complete.
        var response: Response? {
            let head = bytes.withUnsafeBufferPointer { CurlHead(UnsafeBufferPointer(rebasing: $0.prefix(headCount))) }
            guard head.isComplete, let code = head.statusCode else { return nil }
            return Response(
                statusCode: .from(code: code),
                headers: HTTPHeaders(head.fields),
                payload: payload ?? Data(bytes.dropFirst(headCount)),
                trailers: HTTPHeaders(head.trailers)
            )
        }
    }

    extension CurlFailure {
        /// An incomplete head, which libcurl does not report as a failure (7.81 to 7.88).
        fileprivate static let endedInHead = CurlFailure(
            kind: .ended,
            text: "the connection ended before the head of the response was complete"
        )
    }

    extension CurlTransfer {
        /// The largest payload, in bytes, that is copied, so that the handle keeps its buffer; larger ones are moved.
        private static let copiedPayloadBytes = 16 * 1024

        /// Returns the result of a transfer that is over, or that ends now, and takes the payload out of the handle.
        func transferResult(_ failure: CurlFailure?) -> TransferResult {
            let (head, payload) = (handle.pointee.head, handle.pointee.payload)
            let isCopied = payload.count <= Self.copiedPayloadBytes
            let room = head.count + (isCopied ? payload.count : 0)
            return TransferResult(
                bytes: room == 0 ? [] : copied(head, isCopied ? payload : ccurl_bytes(), room),
                headCount: head.count,
                payload: isCopied ? nil : takePayload(),
                failure: failure,
                bodyFailure: source?.pointee.failure,
                isHeadRefused: handle.pointee.stop == ccurl_stop_framing && !handle.pointee.response.has_checked_head,
                isOverLimit: handle.pointee.stop == ccurl_stop_payload_limit,
                isInParts: ccurl_is_in_parts(handle)
            )
        }

        /// The head alone.
        var head: TransferResult {
            let head = handle.pointee.head
            return TransferResult(
                bytes: head.count == 0 ? [] : copied(head, ccurl_bytes(), head.count),
                headCount: head.count
            )
        }

        /// Takes the part of a payload that has arrived; few bytes are copied, so that the handle keeps its buffer.
        func takeChunk() -> Data {
            let payload = handle.pointee.payload
            guard let start = payload.start, payload.count <= Self.copiedPayloadBytes else { return takePayload() }
            handle.pointee.payload.count = 0
            return Data(bytes: start, count: payload.count)
        }

        /// Copies a head and a payload into one array.
        ///
        /// There must be room for a byte at least: without room, this function would write to the one empty array that
        /// all arrays share.
        private func copied(_ head: ccurl_bytes, _ payload: ccurl_bytes, _ room: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
                count = head.copy(to: bytes, at: 0)
                count += payload.copy(to: bytes, at: count)
            }
        }

        private func takePayload() -> Data {
            let count = handle.pointee.payload.count
            guard let whole = ccurl_take_payload(handle) else { return Data() }
            return Data(bytesNoCopy: whole, count: count, deallocator: .free)
        }

        /// Returns the failure for a result of libcurl and the state of the callbacks; nil if the transfer succeeded.
        func failure(_ result: Int32, _ options: ConnectionOptions) -> CurlFailure? {
            if result == 0 || handle.pointee.stop == ccurl_stop_whole { return earlyEnd }
            let text = text(of: result)
            let hasProxy = options.hasAskedProxy(handle, text)
            var failure = stopped ?? CurlFailure(kind: .library(Int(result)), text: lineLimit(result, hasProxy) ?? text)
            failure.systemError = failure.systemErrorOfItsOwn(ccurl_system_error(handle))
            failure.proxyStatus = ccurl_proxy_status(handle)
            failure.isConnected = isConnected
            failure.isUnprocessed = handle.pointee.is_refused && handle.pointee.head.count == 0
            failure.hasProxy = hasProxy
            failure.refusal = refusal(by: options.addressPolicy)
            failure.resourceError = resourceError(failure.kind)
            return failure
        }

        /// The failure that ended a transfer by a callback of this module; nil if there is none.
        private var stopped: CurlFailure? {
            let reason = handle.pointee.reason.map { String(cString: $0) } ?? ""
            switch handle.pointee.stop {
            case ccurl_stop_framing: return CurlFailure(kind: .framing, text: reason)
            case ccurl_stop_coding: return CurlFailure(kind: .coding, text: reason)
            case ccurl_stop_head_limit:
                return CurlFailure(kind: .headLimit, text: "more than \(Self.headLimit) bytes of header fields")
            case ccurl_stop_memory: return CurlFailure(kind: .memory, text: "no memory for the payload")
            case ccurl_stop_repetition: return CurlFailure(kind: .repetition, text: Self.repetition)
            case ccurl_stop_unread:
                let text = "the server ended the connection, or its response, before the request was complete"
                return CurlFailure(kind: .ended, text: text)
            case ccurl_stop_lookup:
                let text = "too many name lookups of ended calls go on to begin another one"
                return CurlFailure(kind: .lookup, text: text)
            default: return nil
            }
        }

        private static let repetition =
            "the server closed a reused connection before it responded, or refused the request's stream; the request "
            + "is not safe to replay, its payload can be produced only once, or there were too many attempts, so it is "
            + "not retried (RFC 9110 9.2.2)"

        /// The failure of a response that libcurl takes for complete; nil if it is.
        private var earlyEnd: CurlFailure? {
            let response = handle.pointee.response
            if response.end == ccurl_end_without_tls {
                // Anybody on the network may have ended the connection (RFC 9112 9.8).
                let text = "the connection ended without the TLS close_notify, so the payload may be incomplete"
                return CurlFailure(kind: .ended, text: text)
            }
            if response.counted > response.arrived {
                return CurlFailure(kind: .ended, text: "the payload ended before the end by its Content-Length")
            }
            if ccurl_payload_is_whole(handle) { return nil }
            // An end of the connection came too early, which may be a transient failure.
            let kind: CurlFailure.Kind = response.end == ccurl_end_framed ? .coding : .ended
            return CurlFailure(kind: kind, text: "the payload ended before the end of its content coding")
        }

        /// The code of libcurl for a lack of memory, and before 8.x for a header line that is longer than its limit.
        private static let noMemory: Int32 = 27

        /// The code of libcurl for a header line that is longer than its limit, from 8.x on.
        private static let tooLarge: Int32 = 100

        /// Returns the limit of libcurl that a header line exceeds, by a result; nil for any other result.
        ///
        /// The limits are those of `DYN_HTTP` lines and `DYN_H1_TRAILER` in libcurl, which no option changes.
        private func lineLimit(_ result: Int32, _ hasProxy: Bool) -> String? {
            guard isConnected || hasProxy, [Self.tooLarge, Self.noMemory].contains(result) else { return nil }
            let limit = "libcurl takes no header line of more than 100 KB, or trailer of more than 4 KB"
            return result == Self.tooLarge ? limit : "\(limit), or has no memory left"
        }

        /// Returns the system's error number for a resource that this process lacks; 0 if none is lacking.
        ///
        /// A name lookup without a descriptor fails like a lookup of a name that does not exist.
        private func resourceError(_ kind: CurlFailure.Kind) -> Int {
            let (lookups, connecting, number) = (5...6, 7, handle.pointee.socket_error)
            switch kind {
            case .memory: return Int(ENOMEM)
            case .library(lookups) where !isConnected: return Int(ccurl_lack_of_descriptors())
            case .library(connecting) where !isConnected:
                return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number) ? Int(number) : 0
            default: return 0
            }
        }

        private func text(of result: Int32) -> String {
            let special = withUnsafePointer(to: &handle.pointee.error) { error in
                error.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: error.pointee)) {
                    String(cString: $0)
                }
            }
            return special.isEmpty ? String(cString: ccurl_result_text(result)) : special
        }
    }

    extension ccurl_bytes {
        /// Copies all bytes to the buffer at this index, if there are any; returns their number.
        fileprivate func copy(to bytes: UnsafeMutableBufferPointer<UInt8>, at index: Int) -> Int {
            guard let start, count > 0, let target = bytes.baseAddress else { return 0 }
            UnsafeMutableRawPointer(target + index).copyMemory(from: start, byteCount: count)
            return count
        }
    }

    extension CurlFailure {
        /// Returns the system's error number if it belongs to this failure, or else 0.
        ///
        /// libcurl keeps the number of an earlier failure, as of another address. libcurl sets the number only with
        /// these codes: if it can't connect, and if it can't send or receive, and then its message contains the
        /// system's text, too.
        func systemErrorOfItsOwn(_ number: Int) -> Int {
            let (connecting, sending, receiving) = (7, 55, 56)
            switch kind {
            case .library(connecting): return number
            case .library(sending), .library(receiving):
                return text.contains(String(cString: strerror(Int32(clamping: number)))) ? number : 0
            default: return 0
            }
        }
    }
#endif
