#if CURL_ENGINE
    import StartSmallCore
    import StartSmallEngines
    import StartSmallSupport
    import CCurl
    import StartSmallFoundation

    /// One easy handle of libcurl, used for one call after another; only for the thread that drives it.
    ///
    /// The memory that libcurl's callbacks reach belongs to the handle, in C, and is freed with it: a class would have
    /// to be kept alive by hand as well.
    struct CurlTransfer {
        /// The largest payload, in bytes, that is copied and sent in one piece with the head.
        private static let copiedPayloadBytes = 64 * 1024

        /// The number of bytes of a payload in parts that may wait in the transfer before it pauses: 256 KiB.
        ///
        /// Another 256 KiB may wait in the call's channel, and another 256 KiB with its reader. The window is sixteen
        /// times what libcurl reads at once, so that a pause is rare, and a thousand slow readers stay below a GiB.
        static let window = 256 * 1024

        /// The number of bytes that libcurl reads at once: 16 KiB, its default, and 64 KiB for a payload in parts.
        ///
        /// A payload in parts is usually large, and each read has a fixed cost; the buffer is small beside the window.
        private static let receiveBufferBytes = 16 * 1024
        private static let receiveBufferBytesForParts = 64 * 1024

        /// The most bytes of heads and trailers that are accepted, as in curl itself from 8.3 on (CVE-2023-38039).
        static let headLimit = 300 * 1024

        let handle: UnsafeMutablePointer<ccurl_transfer>

        /// The options that were last set, so that only changes are set.
        private var isConfigured = false
        private var fields: [HTTPHeaders.Field]?
        private var fieldList: OpaquePointer?
        private var hasPayloadFields = false
        private var asksToContinue = false
        private var kind = Kind.get
        private var customMethod: String?
        private var waitsToShare = 1
        private var receiveBufferBytes = Self.receiveBufferBytes
        private var fixedAddresses: (port: Int, lines: OpaquePointer?)?

        /// Whether the request is being sent, or was: libcurl may still open another connection for it.
        var isConnected: Bool { handle.pointee.phase == ccurl_phase_connected }

        /// The number of bytes of payload to send; nil without a payload.
        private(set) var payloadCount: Int?

        /// Whether the response has no payload, regardless of its header.
        var isHead: Bool { kind == .head }

        /// The kind of the request that the handle was last prepared for.
        ///
        /// The state that a handle keeps from one call to the next, and the end of each part of that state (audited
        /// 2026-11-22, libcurl 7.81 to 8.23):
        ///
        /// - `POST`, `UPLOAD`, `NOBODY`, `HTTPGET`, `POSTFIELDS`, `POSTFIELDSIZE_LARGE`, `INFILESIZE_LARGE`:
        ///   `ccurl_send_nothing` after each call that was not a GET. A call that is sent a second time is still the
        ///   same call.
        /// - `CUSTOMREQUEST`, `HTTPHEADER`, `PIPEWAIT`, `BUFFERSIZE`: compared with the next call's, and
        ///   set if they differ. The list of fields lives until it is replaced.
        /// - `URL`, `NOPROGRESS`, and `RESOLVE` unless no host has fixed addresses: set for each call. The entries that
        ///   libcurl has read from `RESOLVE` stay in the multi handle, all of whose calls have the same ones.
        /// - `VERBOSE`, `FORBID_REUSE`, `FRESH_CONNECT`: set for a call, and reset by `ccurl_transfer_reset`.
        /// - `CLOSESOCKETDATA`: set when the handle moves to another multi handle.
        /// - Everything else is the same for all calls of an engine (`ConnectionOptions.apply`), or is a callback whose
        ///   context is the handle's own memory, which `ccurl_transfer_reset` empties.
        /// - Nothing that libcurl itself can remember is enabled: no cookies, no authentication, no referrer, no
        ///   redirect.
        private enum Kind { case get, head, post, upload }

        /// Creates a handle; nil if there is no memory.
        init?(sharedState: UnsafeMutablePointer<ccurl_round>) {
            guard let handle = ccurl_transfer_create(sharedState) else { return nil }
            self.handle = handle
            handle.pointee.head_limit = Self.headLimit
        }

        mutating func free() {
            releaseSource()
            ccurl_transfer_free(handle)
            ccurl_list_free(fieldList)
            fieldList = nil
            ccurl_list_free(fixedAddresses?.lines)
            fixedAddresses = nil
        }

        /// Prepares the handle for another call; buffers up to this number of bytes are kept.
        mutating func reset(keeping bytes: Int) {
            releaseSource()
            ccurl_transfer_reset(handle, bytes)
        }

        /// Sets the options of the handle for a call.
        ///
        /// - Returns: The reason why an option can't be set, or nil.
        mutating func prepare(for call: CurlCall, _ options: ConnectionOptions) -> String? {
            if !isConfigured {
                if let reason = options.apply(to: handle) { return reason }
                isConfigured = true
            }
            let request = call.request
            handle.pointee.origin = call.origin
            handle.pointee.payload_limit = max(0, call.payloadLimit ?? .max)
            handle.pointee.may_repeat = request.isResendable && call.production?.isReplayable ?? true
            handle.pointee.window = call.reply.takesParts ? Self.window : 0
            handle.pointee.error_window = Self.window
            if call.followsRedirects { handle.pointee.redirect_limit = Response.redirectPayloadLimit }
            handle.pointee.wants_progress = call.reply.hasListeners
            handle.pointee.may_share = !call.needsOwnConnection
            payloadCount = request.payloadCount
            handle.pointee.expectation = request.asksToContinue ? ccurl_expectation_sent : ccurl_expectation_none
            // A payload in a coding that is not known here would be lost, even if the request asks for the coding.
            handle.pointee.decodes_payload =
                options.decompression == .automatic
                && !request.headers.asksOnlyForCodings(beyond: ConnectionOptions.knownCodings)
            // If each call needs its own connection, no call waits to learn if another one's can be shared: libcurl knows
            // that only after the other call's response, which may never arrive.
            Self.set(handle, ccurl_pipe_wait, call.needsOwnConnection ? 0 : 1, insteadOf: &waitsToShare)
            let bytes = call.reply.takesParts ? Self.receiveBufferBytesForParts : Self.receiveBufferBytes
            Self.set(handle, ccurl_buffer_size, bytes, insteadOf: &receiveBufferBytes)
            if !options.resolve.isEmpty, let reason = prepareAddresses(call, options) { return reason }
            return set(ccurl_url, call.urlText) ?? prepareMethod(request, call)
                ?? prepareFields(request, options)
        }

        /// Sets the fixed addresses, for the port of the call, as libcurl has no entry for all ports.
        ///
        /// libcurl keeps each entry until the engine is idle: a call to another host sets none.
        private mutating func prepareAddresses(_ call: CurlCall, _ options: ConnectionOptions) -> String? {
            guard let host = Authority(of: call.urlText)?.host, options.resolves(String(host)) else {
                let code = ccurl_set_resolve(handle, nil)
                return code == 0 ? nil : Self.reason("resolve", code)
            }
            let port = call.request.url.port ?? (call.isPlain ? 80 : 443)
            if fixedAddresses?.port != port {
                var lines: OpaquePointer?
                for line in options.resolveLines(port: port) {
                    guard let longer = ccurl_list_append(lines, line) else {
                        ccurl_list_free(lines)
                        return "no memory"
                    }
                    lines = longer
                }
                // libcurl has the old lines until it is given the new ones.
                let old = fixedAddresses?.lines
                defer { ccurl_list_free(old) }
                fixedAddresses = (port, lines)
                _ = ccurl_set_resolve(handle, nil)
            }
            let code = ccurl_set_resolve(handle, fixedAddresses?.lines)
            return code == 0 ? nil : Self.reason("resolve", code)
        }

        private mutating func prepareMethod(_ request: ValidatedRequest, _ call: CurlCall) -> String? {
            let payload = request.payload
            var custom: String? = request.method
            // Each request except a GET after a GET starts from a cleared state: see the design note at `Kind`.
            var code = kind == .get ? 0 : ccurl_send_nothing(handle)
            kind = .get
            if code != 0 { return Self.reason("the method", code) }
            if let production = call.production {
                code = send(CurlRequestPayload(production))
                if request.method == "PUT" { custom = nil }
            } else if let source = request.source {
                code = send(CurlRequestPayload(source))
                if request.method == "PUT" { custom = nil }
            } else if let payload, payload.count > Self.copiedPayloadBytes {
                code = send(CurlRequestPayload(payload))
                if request.method == "PUT" { custom = nil }
            } else if payload != nil || request.mustTellLength {
                code = (payload ?? Data()).withUnsafeBytes { ccurl_send_bytes(handle, $0.baseAddress, $0.count) }
                kind = .post
                if request.method == "POST" { custom = nil }
            } else if request.method == "HEAD" {
                code = ccurl_set_long(handle, ccurl_no_body, 1)
                (kind, custom) = (.head, nil)
            } else if request.method == "GET" {
                custom = nil
            }
            if code != 0 { return Self.reason("the method", code) }
            handle.pointee.is_head = isHead
            let isMeasured = kind == .post || kind == .upload || handle.pointee.wants_progress
            _ = ccurl_set_long(handle, ccurl_no_progress, isMeasured ? 0 : 1)
            if custom == customMethod { return nil }
            customMethod = custom
            return set(ccurl_custom_request, custom)
        }

        private mutating func prepareFields(_ request: ValidatedRequest, _ options: ConnectionOptions) -> String? {
            let lines = request.headers.fields
            let asksToContinue = request.asksToContinue
            if fields == lines, hasPayloadFields == request.hasPayloadFields, self.asksToContinue == asksToContinue {
                return nil
            }
            var list: OpaquePointer?
            for line in request.fieldLines(for: options) {
                let bytes = FieldText.bytes(of: line).map { $0.map(CChar.init(bitPattern:)) + [0] }
                guard let longer = bytes.map({ ccurl_list_append(list, $0) }) ?? ccurl_list_append(list, line) else {
                    ccurl_list_free(list)
                    return "no memory"
                }
                list = longer
            }
            let code = ccurl_set_fields(handle, list)
            ccurl_list_free(fieldList)
            (fieldList, fields, hasPayloadFields) = (list, lines, request.hasPayloadFields)
            self.asksToContinue = asksToContinue
            return code == 0 ? nil : Self.reason("header fields", code)
        }

        /// Sets an option, unless it has the value already.
        private static func set(
            _ handle: UnsafeMutablePointer<ccurl_transfer>,
            _ option: ccurl_long_option,
            _ value: Int,
            insteadOf known: inout Int
        ) {
            if value != known { _ = ccurl_set_long(handle, option, value) }
            known = value
        }

        private func set(_ option: ccurl_text_option, _ value: String?) -> String? {
            // Explicitly, since to pass the string itself would copy its bytes into an array first.
            let code = value?.withCString { ccurl_set_text(handle, option, $0) } ?? ccurl_set_text(handle, option, nil)
            return code == 0 ? nil : Self.reason("option \(option.rawValue)", code)
        }

        static func reason(_ what: String, _ code: Int32) -> String {
            "libcurl rejects \(what): \(String(cString: ccurl_result_text(code)))"
        }

        private mutating func send(_ payload: consuming CurlRequestPayload) -> Int32 {
            kind = .upload
            let count = Int64(payload.count ?? -1)
            handle.pointee.is_produced = payload.isProduced
            let context = UnsafeMutablePointer<CurlRequestPayload>.allocate(capacity: 1)
            context.initialize(to: payload)
            return ccurl_send_source(handle, CurlTransfer.read, context, count)
        }

        var source: UnsafeMutablePointer<CurlRequestPayload>? {
            handle.pointee.source_context?.assumingMemoryBound(to: CurlRequestPayload.self)
        }

        private func releaseSource() {
            guard let source else { return }
            handle.pointee.source_context = nil
            source.deinitialize(count: 1)
            source.deallocate()
        }

        /// Passes a part of a payload to libcurl.
        private static let read: ccurl_source = { context, offset, bytes, room in
            let payload = context.assumingMemoryBound(to: CurlRequestPayload.self)
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: room)
            return payload.pointee.read(from: Int(clamping: offset), into: room)
        }
    }
#endif
