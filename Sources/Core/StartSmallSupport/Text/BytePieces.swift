import StartSmallFoundation

extension UnsafeRawBufferPointer {
    /// Returns whether some bytes occur in these; an empty sequence does not occur.
    ///
    /// The search uses `memchr` and `memcmp`, which run at the speed of memory, in debug builds too. If the first of
    /// the sought bytes occurs often, all of them are compared at each occurrence.
    package func holds(_ sought: UnsafeRawBufferPointer) -> Bool {
        guard let first = sought.first, let soughtStart = sought.baseAddress else { return false }
        var rest = self[...]
        while rest.count >= sought.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
            // The last possible start is the one at which the sought bytes still fit.
            let room = rest.count - sought.count + 1
            guard let candidate = memchr(start, Int32(first), room) else { return false }
            if memcmp(candidate, soughtStart, sought.count) == 0 { return true }
            rest = rest.dropFirst(UnsafeRawPointer(candidate) - start + 1)
        }
        return false
    }
}
