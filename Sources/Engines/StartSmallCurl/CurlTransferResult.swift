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

        func output(payloadLimit: Int?) -> Output {
            let response = response
            if let response, failure == nil { return .hasResponse(response) }
            if let bodyFailure { return .noResponse(bodyFailure) }
            if isOverLimit, let response, let payloadLimit {
                return .noResponse(.payloadTooLarge(response, limit: payloadLimit))
            }
            return .noResponse(ConnectionError(failure ?? .endedInHead, partial: isHeadRefused ? nil : response))
        }

        /// The response as far as it has arrived, if its head is complete.
        var response: Response? {
            var head = CurlHead()
            bytes.withUnsafeBufferPointer { head.feed(UnsafeBufferPointer(rebasing: $0.prefix(headCount))) }
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
            code: 56,
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
            let response = handle.pointee.response
            if result == 0 || handle.pointee.stop == ccurl_stop_whole {
                if response.end == ccurl_end_without_tls { return .endedWithoutTLS }
                if response.counted > response.arrived { return .endedBeforeLength }
                return ccurl_payload_is_whole(handle) ? nil : .endedInCoding(byClose: response.end != ccurl_end_framed)
            }
            var failure = CurlFailure(code: Int(result), text: text(of: result))
            failure.systemError = failure.systemErrorOfItsOwn(ccurl_system_error(handle))
            failure.proxyStatus = ccurl_proxy_status(handle)
            failure.isConnected = isConnected
            failure.isUnprocessed = handle.pointee.is_refused && handle.pointee.head.count == 0
            failure.hasProxy = options.hasAskedProxy(handle, failure.text)
            failure.refusal = refusal(by: options.addressPolicy)
            if !failure.isConnected { failure.resourceError = resourceError(code: failure.code) }
            switch handle.pointee.stop {
            case ccurl_stop_framing: (failure.code, failure.text) = (8, reason ?? failure.text)
            case ccurl_stop_coding: (failure.code, failure.text) = (61, reason ?? failure.text)
            case ccurl_stop_head_limit:
                (failure.code, failure.text) = (100, "more than \(Self.headLimit) bytes of header fields")
            case ccurl_stop_memory:
                (failure.code, failure.text, failure.resourceError) = (27, "no memory for the payload", Int(ENOMEM))
            case ccurl_stop_repetition:
                failure.code = 52
                failure.text =
                    "the server closed a reused connection before it responded, or refused the request's stream; "
                    + "the request is not safe to replay, its payload can be produced only once, or there were too "
                    + "many attempts, so it is not retried (RFC 9110 9.2.2)"
            case ccurl_stop_unread:
                (failure.code, failure.text) =
                    response.has_checked_head
                    ? (18, "the server ended the connection, or its response, before the request was complete")
                    : (52, "the server ended the connection before it responded, while the payload was being produced")
            case ccurl_stop_lookup:
                (failure.code, failure.text) = (6, "too many name lookups of ended calls go on to begin another one")
            default:
                guard failure.isConnected || failure.hasProxy else { break }
                if failure.code == Self.tooLarge { failure.text = Self.lineLimit }
                if failure.code == Self.noMemory { failure.text = "\(Self.lineLimit), or has no memory left" }
            }
            return failure
        }

        /// The code of libcurl for a lack of memory, and before 8.x for a header line that is longer than its limit.
        private static let noMemory = 27

        /// The code of libcurl for a header line that is longer than its limit, from 8.x on.
        private static let tooLarge = 100

        /// The limits of `DYN_HTTP` lines and `DYN_H1_TRAILER` in libcurl, which no option changes.
        private static let lineLimit = "libcurl takes no header line of more than 100 KB, or trailer of more than 4 KB"

        /// The reason, in words, why a callback of this library ended the transfer; nil if there is none.
        private var reason: String? { handle.pointee.reason.map { String(cString: $0) } }

        /// Returns the system's error number for a resource that this process lacks to connect; 0 if none is lacking.
        ///
        /// A name lookup without a descriptor fails like a lookup of a name that does not exist.
        private func resourceError(code: Int) -> Int {
            let (lookups, connecting) = ([5, 6], 7)
            if lookups.contains(code) { return Int(ccurl_lack_of_descriptors()) }
            let lacks = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
            let number = handle.pointee.socket_error
            return code == connecting && lacks.contains(number) ? Int(number) : 0
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
        /// The failure of a payload that only the end of the connection ends, if TLS did not end.
        ///
        /// Anybody on the network may have ended the connection (RFC 9112 9.8).
        fileprivate static let endedWithoutTLS = CurlFailure(
            code: 18,
            text: "the connection ended without the TLS close_notify, so the payload may be incomplete",
            isConnected: true
        )

        /// The failure of a payload that ended before its Content-Length, whose end libcurl does not know.
        fileprivate static let endedBeforeLength = CurlFailure(
            code: 18,
            text: "the connection ended before the end of the payload by its Content-Length",
            isConnected: true
        )

        /// Creates a failure for a payload that ends in the middle of its content coding, which libcurl accepts.
        ///
        /// - Parameter byClose: whether only the end of the connection ends the payload: the end came too early, which
        ///   may be a transient failure.
        fileprivate static func endedInCoding(byClose: Bool) -> CurlFailure {
            let (partialFile, badEncoding) = (18, 61)
            return CurlFailure(
                code: byClose ? partialFile : badEncoding,
                text: "the payload ended before the end of its content coding",
                isConnected: true
            )
        }

        /// Returns the system's error number if it belongs to this failure, or else 0.
        ///
        /// libcurl keeps the number of an earlier failure, as of another address. libcurl sets the number only with
        /// these codes: if it can't connect, and if it can't send or receive, and then its message contains the
        /// system's text, too.
        func systemErrorOfItsOwn(_ number: Int) -> Int {
            let (connecting, sending, receiving) = (7, 55, 56)
            switch code {
            case connecting: return number
            case sending, receiving:
                return text.contains(String(cString: strerror(Int32(clamping: number)))) ? number : 0
            default: return 0
            }
        }
    }
#endif
