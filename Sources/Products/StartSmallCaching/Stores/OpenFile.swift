import StartSmallFoundation

/// An open file or folder, which is closed at the end of its lifetime.
///
/// No function follows a symbolic link in the last component of a name, and none blocks on a pipe. What belongs to
/// another user, or is open to others, is not opened: the open file itself is checked, so that nothing can be exchanged
/// in between.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    /// The permissions of files and folders: only the user of the process reads and writes them.
    private static let fileMode: mode_t = 0o600
    static let folderMode: mode_t = 0o700

    /// The permissions that others must not have: none in a folder or a file of the cache.
    private static let permissionsOfOthers: mode_t = 0o077

    /// The permissions that others must not have in the folder of a cache itself: to write.
    ///
    /// An app may have made the folder with the usual mode 0755: its folders and files are still private.
    private static let writingOfOthers: mode_t = 0o022

    private static let folderFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    /// Takes a descriptor; nil, with `errno` set, if it is negative, or if others may have changed the file.
    private init?(_ descriptor: Int32, without permissions: mode_t) {
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & permissions == 0 else {
            close(descriptor)
            errno = EACCES
            return nil
        }
        self.descriptor = descriptor
    }

    /// Opens the folder of a cache, whose path ends in its name.
    init?(root path: String) { self.init(open(path, Self.folderFlags), without: Self.writingOfOthers) }

    /// Returns a path without slashes and dots at its end, after which the system would follow a symbolic link.
    static func withoutSlash(_ path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") || bytes.suffix(2).elementsEqual("/.".utf8) {
            bytes.removeLast()
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    init?(folder name: String, in folder: borrowing OpenFile) {
        self.init(openat(folder.descriptor, name, Self.folderFlags), without: Self.permissionsOfOthers)
    }

    init?(_ name: String, in folder: borrowing OpenFile) {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        self.init(openat(folder.descriptor, name, flags), without: Self.permissionsOfOthers)
    }

    /// Creates a file in a folder; nil if there is one of this name, or the folder is not writable.
    init?(creating name: String, in folder: borrowing OpenFile) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        self.init(openat(folder.descriptor, name, flags, Self.fileMode), without: Self.permissionsOfOthers)
        // The umask may have removed more permissions than others have.
        _ = fchmod(descriptor, Self.fileMode)
    }

    deinit { close(descriptor) }

    var isWritable: Bool { faccessat(descriptor, ".", W_OK | X_OK, 0) == 0 }

    /// The status of the file; nil unless it is a regular file.
    var regularStatus: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Reads bytes from the beginning, and returns their number, which is smaller only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = pread(descriptor, into: rest, from: count)
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    /// Writes all bytes to the disk, and returns whether it could.
    ///
    /// On Apple platforms, `fsync` leaves the bytes in the cache of the drive (`man 2 fsync`): a power failure can
    /// damage an entry whose name is already on the disk.
    func writeAll(_ bytes: [UInt8], lastUsed: Date) -> Bool {
        let isWritten = bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                offset += count
            }
            return true
        }
        guard isWritten else { return false }
        touch(lastUsed)
        return fsync(descriptor) == 0
    }

    /// Returns the names in this folder that begin with a text, in no order; nil if the folder is not readable.
    func names(_ prefix: String = "") -> [String]? {
        // The stream closes its descriptor, and a descriptor of its own starts at the first name.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return nil }
        guard let stream = fdopendir(own) else {
            close(own)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                guard bytes.starts(with: prefix.utf8) else { return }
                names.append(String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
            }
        }
        return names
    }

    /// Sets the mode of a new folder, from which the umask may have removed more permissions than others have.
    ///
    /// A symbolic link that another process has put in its place is not followed.
    static func setFolderMode(_ path: String, in folder: Int32) {
        fchmodat(folder, path, folderMode, AT_SYMLINK_NOFOLLOW)
    }

    /// Removes a file or an empty folder from this folder, and returns whether there is none of this name now.
    @discardableResult
    func remove(_ name: String) -> Bool {
        unlinkat(descriptor, name, 0) == 0 || errno == ENOENT || unlinkat(descriptor, name, AT_REMOVEDIR) == 0
    }

    /// Returns the status of a regular file in a folder; nil if there is none of this name.
    static func regularStatus(of name: String, in folder: Int32) -> stat? {
        var status = stat()
        let isFound = fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        return isFound && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    func touch(_ date: Date) {
        let time = timespec(date)
        _ = futimens(descriptor, [time, time])
    }
}

extension stat {
    /// The time of the last use, as ``OpenFile/touch(_:)`` set it.
    var lastUsed: Date {
        let time = modificationTime(of: self)
        return Date(timeIntervalSince1970: Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000)
    }
}

extension timespec {
    /// Creates the time of a date, or the nearest one that the system can represent.
    fileprivate init(_ date: Date) {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let nanoseconds = Int((date.timeIntervalSince1970 - seconds) * 1_000_000_000)
        guard let whole = time_t(exactly: seconds) else {
            self.init(tv_sec: seconds > 0 ? .max : .min, tv_nsec: 0)
            return
        }
        self.init(tv_sec: whole, tv_nsec: max(0, min(nanoseconds, 999_999_999)))
    }
}
