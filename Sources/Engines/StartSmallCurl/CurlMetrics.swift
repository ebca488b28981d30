#if CURL_ENGINE
    import StartSmallCore
    import CCurl

    /// The measurements of libcurl for a transfer, for listeners.
    extension CurlTransfer {
        /// Returns the progress of the transfer, in bytes on the wire.
        ///
        /// - Parameter isWhole: whether the transfer succeeded, so that the total is the number of received bytes.
        func progress(isWhole: Bool) -> TransferProgress {
            let counts = ccurl_get_counts(handle)
            let received = Int64(clamping: counts.received)
            let announced = counts.announced >= 0 && !isHead ? Int64(clamping: counts.announced) : nil
            return TransferProgress(
                status: head.response?.statusCode,
                sent: TransferProgress.Count(bytes: Int64(clamping: counts.sent), total: payloadCount.map(Int64.init)),
                received: TransferProgress.Count(bytes: received, total: isWhole ? received : announced)
            )
        }

        /// Returns the durations of the phases of the transfer.
        ///
        /// If this library ends the transfer, libcurl measures only until its last check before. Therefore, the caller
        /// measures `total`. libcurl knows nothing of the time before it got the transfer, which is added here.
        func timings(total: Duration, since arrivedAt: Int64) -> RequestTimings {
            let (counts, raw) = (ccurl_get_counts(handle), ccurl_get_timings(handle))
            let waitedUntil = handle.pointee.waited_until
            let queued = waitedUntil == 0 ? nil : max(Duration.zero, .nanoseconds(waitedUntil - arrivedAt))
            // libcurl begins to count a little later than this, when all calls of an iteration are prepared.
            let before = max(Duration.zero, .nanoseconds(handle.pointee.added_at - arrivedAt))
            let time = { (microseconds: Int64) in
                microseconds > 0 ? min(max(before + .microseconds(microseconds), queued ?? .zero), total) : nil
            }
            let isReused = raw.connections == 0
            return RequestTimings(
                nameLookup: isReused ? nil : time(raw.name_lookup),
                connect: isReused ? nil : time(raw.connect),
                secureConnection: isReused ? nil : time(raw.secure_connection),
                firstByte: time(raw.first_byte),
                total: max(total, .microseconds(max(raw.total, raw.first_byte))),
                sentBytes: Int64(clamping: counts.sent),
                receivedBytes: Int64(clamping: counts.received),
                reusedConnection: isReused,
                httpVersion: Self.versions[raw.http_version],
                remoteAddress: raw.address.flatMap { Self.address(String(cString: $0), raw.port) },
                queued: queued
            )
        }

        private static let versions = [
            Int(ccurl_http_1_0): "1.0", Int(ccurl_http_1_1): "1.1", Int(ccurl_http_2): "2", Int(ccurl_http_3): "3",
        ]

        /// Returns the address as in a URL (RFC 3986 3.2.2); nil for a Unix domain socket, which has none.
        private static func address(_ address: String, _ port: Int) -> String? {
            if address.isEmpty || port <= 0 { return nil }
            return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
        }
    }
#endif
