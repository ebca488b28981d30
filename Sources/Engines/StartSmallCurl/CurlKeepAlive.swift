#if CURL_ENGINE
    import StartSmallCore
    import StartSmallHeaders
    import StartSmallSupport
    import CCurl

    /// The end of a connection that a server announces by `Keep-Alive: timeout=N` (RFC 2068 19.7.1.1), over HTTP/1 only.
    extension CurlTransfer {
        /// The time before an announced end in which no request begins: a second for the way of a response and a request.
        private static let keepAliveMargin = 1

        /// Notes when the connection carries no other request; its last response, which has ended, says so.
        mutating func noteKeepAlive(at now: Int64) {
            handle.pointee.kept_until = keepAliveTimeout.map { Self.keepAliveEnd($0, from: now) } ?? 0
        }

        /// Returns the time from which on a connection carries no other request.
        ///
        /// - Parameters:
        ///   - timeout: the announced seconds.
        ///   - now: the end of the response.
        static func keepAliveEnd(_ timeout: Int, from now: Int64) -> Int64 {
            now + Duration.seconds(max(0, timeout - keepAliveMargin)).clampedNanoseconds
        }

        /// The smallest `timeout` of the response's `Keep-Alive` fields, in seconds; nil if there is none.
        var keepAliveTimeout: Int? {
            // Most heads are parsed only by their callers. The field has the form of `Cache-Control`.
            guard mayHaveKeepAlive, let headers = head.response?.headers else { return nil }
            let parameters = CacheControl(headers.values(of: "Keep-Alive").joined(separator: ",")).directives
            return parameters.filter { $0.name == "timeout" }.compactMap(\.value)
                .compactMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }.min()
        }

        private static let fieldName = Array("keep-alive".utf8)

        private var mayHaveKeepAlive: Bool {
            let bytes = UnsafeRawBufferPointer(start: handle.pointee.head.start, count: handle.pointee.head.count)
            var rest = bytes.bindMemory(to: UInt8.self)[...]
            while let end = rest.firstLineFeed {
                rest = rest[(end + 1)...]
                if rest.starts(with: Self.fieldName, by: { $0 | 0x20 == $1 }) { return true }
            }
            return false
        }
    }
#endif
