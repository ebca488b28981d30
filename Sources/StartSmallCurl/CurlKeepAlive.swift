#if CURL_ENGINE
    import StartSmallCore
    import StartSmallSupport
    import CCurl

    /// The idle limits that servers announce by `Keep-Alive: timeout=N` (RFC 2068 19.7.1.1), over HTTP/1 only.
    struct KeepAliveLimits {
        /// The most origins with a limit, as many as connections by default; with more, all are forgotten.
        static let mostOrigins = ConnectionOptions.defaultMaxConnections

        /// The seconds before an announced end in which no request begins: libcurl rounds idle times down, by up to 1.
        private static let margin = 2

        let configuredAge: Int
        private(set) var ages: [UInt64: Int] = [:]

        /// Returns the idle seconds up to which a connection is used; nil if the call needs a new one.
        func connectionAge(for origin: UInt64) -> Int? {
            let age = min(configuredAge, ages[origin] ?? .max)
            return age > 0 ? age : nil
        }

        /// Notes the limit in an origin's last response; nil if it has none.
        mutating func note(_ timeout: Int?, from origin: UInt64) {
            if timeout != nil, ages.count >= Self.mostOrigins, ages[origin] == nil { ages = [:] }
            ages[origin] = timeout.map { $0 - Self.margin }
        }
    }

    extension CurlTransfer {
        /// The smallest `timeout` of the response's `Keep-Alive` fields, in seconds; nil if there is none.
        var keepAliveTimeout: Int? {
            // Most heads are parsed only by their callers. The field has the form of `Cache-Control`.
            guard mayHaveKeepAlive, let headers = head.response?.headers else { return nil }
            let parameters = CacheControl(headers.values(of: "Keep-Alive").joined(separator: ",")).directives
            return parameters.filter { $0.name == "timeout" }.compactMap(\.value)
                .compactMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? Int($0) : nil }.min()
        }

        private var mayHaveKeepAlive: Bool {
            let bytes = UnsafeRawBufferPointer(start: handle.pointee.head.start, count: handle.pointee.head.count)
            var rest = bytes.bindMemory(to: UInt8.self)[...]
            while let end = rest.firstLineFeed {
                rest = rest[(end + 1)...]
                if rest.starts(with: "keep-alive".utf8, by: { $0 | 0x20 == $1 }) { return true }
            }
            return false
        }
    }
#endif
