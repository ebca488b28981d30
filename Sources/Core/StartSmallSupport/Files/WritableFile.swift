package import StartSmallFoundation

/// A file that is open for writing and comparing; it is closed with its last reference.
package final class WritableFile: Sendable {
    /// The descriptor, which is another file's after the end.
    package let descriptor: Int32
    private let isClosed = Locked(false)

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { try? finish() }

    /// Writes all bytes at the end of those that are written already.
    func append(_ data: Data) throws {
        try writeAll(data) { rest, _ in write(descriptor, rest.baseAddress, rest.count) }
    }

    /// Writes all bytes over those from an offset on.
    package func overwrite(from offset: Int, with data: Data) throws {
        try writeAll(data) { rest, count in pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + count)) }
    }

    /// Calls a function with the rest of the bytes, and the number of those that are written, until all are.
    private func writeAll(_ data: Data, by write: (UnsafeRawBufferPointer, Int) -> Int) throws {
        if isClosed.withLock(\.self) { throw POSIXError(.EBADF) }
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = retrying { write(UnsafeRawBufferPointer(rebasing: rest), rest.startIndex) }
                if count < 0 { throw Self.lastError }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Returns whether the file has these bytes at an offset.
    package func hasBytes(_ data: Data, at offset: Int) throws -> Bool { try bytes(data.count, at: offset) == data }

    /// Returns the bytes at an offset; fewer at the end of the file.
    package func bytes(_ count: Int, at offset: Int) throws -> Data {
        if isClosed.withLock(\.self) { throw POSIXError(.EBADF) }
        var data = Data(count: count)
        let end = try data.withUnsafeMutableBytes { room in
            var end = 0
            while end < room.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: room[end...])
                let read = retrying { pread(descriptor, rest.baseAddress, rest.count, off_t(offset + end)) }
                if read < 0 { throw Self.lastError }
                if read == 0 { break }
                end += read
            }
            return end
        }
        return data.prefix(end)
    }

    /// Locks the file against other processes, and other openings of this one; false if another one has a lock.
    package func lock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Whether the file has no name any more.
    var isRemoved: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Writes the bytes of the file to the disk, so that a power failure does not lose them.
    func synchronizeToDisk() throws {
        if flushToDisk(descriptor) != 0 { throw Self.lastError }
    }

    /// Closes the file, if it is open; the system may report only now that bytes could not be written.
    ///
    /// - Parameter keepsLock: whether a copy of the descriptor keeps the lock.
    package func finish(keepsLock: Bool = false) throws {
        let wasOpen = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        // A process that another thread starts now has the descriptor, and with it the lock, until it runs its program.
        if wasOpen, !keepsLock { _ = flock(descriptor, LOCK_UN) }
        // After EINTR, the file is closed on Linux, and must not be closed again (`man 2 close`).
        if wasOpen, close(descriptor) != 0, errno != EINTR { throw Self.lastError }
    }

    /// The last error of the system (`errno`).
    package static var lastError: POSIXError { POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO) }
}
