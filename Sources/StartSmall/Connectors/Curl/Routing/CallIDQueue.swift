#if os(Linux)
    /// A first-in, first-out queue of call IDs.
    struct CallIDQueue {
        private var ids: [UInt64] = []
        private var first = 0

        /// The number of removed elements that are kept at most, unless there are more remaining ones.
        private static let keptPlaces = 1024

        var isEmpty: Bool { first == ids.count }

        mutating func append(_ id: UInt64) {
            ids.append(id)
        }

        mutating func popFirst() -> UInt64? {
            guard first < ids.count else { return nil }
            let id = ids[first]
            first += 1
            if first == ids.count || first > max(Self.keptPlaces, ids.count / 2) {
                ids.removeFirst(first)
                first = 0
            }
            return id
        }
    }
#endif
