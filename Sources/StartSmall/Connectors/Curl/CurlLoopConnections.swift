#if os(Linux)
    import CCurl

    /// The counting of connections for listeners; a loop without listeners does not count.
    extension CurlLoop {
        /// The number of origins that are known before unused ones are forgotten.
        private static let keptOrigins = 1024

        /// Notes the origin of a call, by the number that its connection gets.
        mutating func noteOrigin(of call: CurlCall) {
            guard let number = call.route?.origin, origins[number] == nil else { return }
            if origins.count >= Self.keptOrigins { forgetOrigins() }
            origins[number] = Origin(call.request.url)
        }

        /// Publishes the numbers of connections, if they have changed.
        ///
        /// libcurl closes connections at any time, so that they are not counted up and down: the open ones are counted.
        mutating func countConnections() {
            guard isObserved else { return }
            guard let multi else { return pool.replaceCounts([:], ofPart: index) }
            guard ccurl_multi_take_changes(multi) else { return }
            var counts: [Origin: ConnectionPool.Counts] = [:]
            for connection in connections(of: multi) {
                guard let origin = origins[connection.origin] else { continue }
                if connection.is_in_use {
                    counts[origin, default: ConnectionPool.Counts()].inUse += 1
                } else {
                    counts[origin, default: ConnectionPool.Counts()].idle += 1
                }
            }
            pool.replaceCounts(counts, ofPart: index)
        }

        /// Forgets the origins without a connection or a call.
        private mutating func forgetOrigins() {
            var used = Set(running.compactMap { $0?.call.route?.origin })
            if let multi { used.formUnion(connections(of: multi).map(\.origin)) }
            origins = origins.filter { used.contains($0.key) }
        }

        private func connections(of multi: OpaquePointer) -> [ccurl_connection] {
            let room = ccurl_multi_connections(multi, nil, 0)
            return [ccurl_connection](unsafeUninitializedCapacity: room) { list, count in
                count = min(room, ccurl_multi_connections(multi, list.baseAddress, room))
            }
        }
    }
#endif
