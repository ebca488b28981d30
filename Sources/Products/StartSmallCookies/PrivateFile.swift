import StartSmallFoundation

/// Files that only their owner may read, replaced at once, with a lock for several processes.
///
/// A file that is a symbolic link, that belongs to another user, or that is open to others, is refused: others may have
/// written it, or made it lead to another file. The open file is checked, so that nothing can be exchanged in between.
enum PrivateFile {
    static func read(_ path: String, maximum: Int) throws(CookieFileError) -> Data? {
        // Without blocking: a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if descriptor < 0 && errno == ENOENT { return nil }
        defer { if descriptor >= 0 { close(descriptor) } }
        if let reason = publicReason(of: descriptor, maximum) { throw .unreadable(path: path, reason: reason) }
        var (data, isWhole) = (Data(), false)
        while !isWhole, data.count < maximum {
            var chunk = Data(count: min(64 * 1024, maximum - data.count))
            let count = chunk.withUnsafeMutableBytes { pread(descriptor, into: $0, from: data.count) }
            if count < 0, errno != EINTR { throw .unreadable(path: path, reason: errorText) }
            data += chunk.prefix(max(0, count))
            isWhole = count == 0
        }
        return data
    }

    /// Replaces a file by one with mode 0600: a reader gets the old bytes or the new ones.
    static func replace(_ path: String, with data: Data) throws(CookieFileError) {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: errorText) }
        let reason = reasonNotWritten(data, to: descriptor) ?? (rename(temporary, path) == 0 ? nil : errorText)
        if let reason {
            unlink(temporary)
            throw .unwritable(path: path, reason: reason)
        }
    }

    /// Writes all bytes to the disk, and closes the file; returns the reason if that fails.
    private static func reasonNotWritten(_ data: Data, to descriptor: Int32) -> String? {
        defer { close(descriptor) }
        var rest = data[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return errorText }
            rest = rest.dropFirst(max(0, count))
        }
        return fsync(descriptor) == 0 ? nil : errorText
    }

    /// Calls a function while no other process or thread calls one for the same path.
    ///
    /// The lock is on `PATH.lock`, which is never removed: a lock on the file itself would be lost when the file is
    /// replaced. The system releases the lock when the process ends (`man 2 flock`).
    static func withLock(
        besides path: String,
        _ body: () throws(CookieFileError) -> Void
    ) throws(CookieFileError) {
        let lock = "\(path).lock"
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        defer { if descriptor >= 0 { close(descriptor) } }
        if let reason = publicReason(of: descriptor) { throw .unwritable(path: lock, reason: reason) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw .unwritable(path: lock, reason: errorText) }
        }
        try body()
    }

    /// Returns the reason why a file can't be used, such as that others may have written it; nil for a regular file
    /// that is open to its user only.
    private static func publicReason(of descriptor: Int32, _ maximum: Int = .max) -> String? {
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return errorText }
        if status.st_mode & S_IFMT != S_IFREG { return "not a regular file" }
        if status.st_uid != geteuid() { return "it belongs to another user" }
        if status.st_mode & 0o077 != 0 { return "others may read or change it: its mode must be 0600" }
        return status.st_size <= maximum ? nil : "over \(maximum) bytes"
    }

    private static var errorText: String {
        errno == ELOOP ? "a symbolic link" : String(cString: strerror(errno))
    }
}
