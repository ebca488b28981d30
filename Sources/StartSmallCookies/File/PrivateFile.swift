import Foundation

/// Files that only their owner may read, replaced at once, with a lock for several processes.
///
/// A file that is a symbolic link, that belongs to another user, or that is open to others, is refused: others may have
/// written it, or made it lead to another file. The open file is checked, so that nothing can be exchanged in between.
enum PrivateFile {
    /// Reads a regular file; returns nil if there is none.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - maximum: the maximum size in bytes.
    static func read(_ path: String, maximum: Int) throws(CookieFileError) -> Data? {
        // Without blocking: a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if descriptor < 0 && errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: errorText) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, reason: errorText) }
        if let reason = status.publicReason { throw .unreadable(path: path, reason: reason) }
        guard status.st_size <= maximum else { throw .unreadable(path: path, reason: "over \(maximum) bytes") }
        do {
            return try file.read(upToCount: maximum) ?? Data()
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }

    /// Replaces a file by one with mode 0600: a reader gets the old bytes or the new ones.
    static func replace(_ path: String, with data: Data) throws(CookieFileError) {
        let temporary = "\(path).\(UUID().uuidString)"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: errorText) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: data)
            try file.synchronize()
        } catch {
            unlink(temporary)
            throw .unwritable(path: path, reason: "\(error)")
        }
        guard rename(temporary, path) == 0 else {
            let reason = errorText
            unlink(temporary)
            throw .unwritable(path: path, reason: reason)
        }
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
        guard descriptor >= 0 else { throw .unwritable(path: lock, reason: errorText) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unwritable(path: lock, reason: errorText) }
        if let reason = status.publicReason { throw .unwritable(path: lock, reason: reason) }
        while flock(descriptor, LOCK_EX) != 0 {
            if errno != EINTR { throw .unwritable(path: lock, reason: errorText) }
        }
        try body()
    }

    private static var errorText: String {
        errno == ELOOP ? "a symbolic link" : String(cString: strerror(errno))
    }
}

extension stat {
    /// The reason why others may have written a file; nil for a regular file that is open to its user only.
    fileprivate var publicReason: String? {
        if st_mode & S_IFMT != S_IFREG { return "not a regular file" }
        if st_uid != geteuid() { return "it belongs to another user" }
        return st_mode & 0o077 == 0 ? nil : "others may read or change it: its mode must be 0600"
    }
}
