import Foundation

/// An open file or folder, which is closed at the end of its lifetime.
///
/// No function follows a symbolic link in the last component of a name, and none blocks on a pipe.
struct OpenFile: ~Copyable {
    let descriptor: Int32

    /// The permissions of all files: only the user of the process reads and writes them.
    static let fileMode: mode_t = 0o600

    /// The permissions of all folders.
    static let folderMode: mode_t = 0o700

    private init?(_ descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    /// Opens a folder; nil if there is none, if it is a symbolic link, or if it is not accessible.
    init?(folder path: String) {
        self.init(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Opens the folder of a cache, to which a symbolic link of the user may lead.
    init?(root path: String) {
        self.init(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens a folder in a folder.
    init?(folder name: String, in folder: borrowing OpenFile) {
        self.init(openat(folder.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Opens a file in a folder for reading.
    init?(_ name: String, in folder: borrowing OpenFile) {
        self.init(openat(folder.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    }

    /// Creates a file in a folder; nil if there is one of this name, or the folder is not writable.
    init?(creating name: String, in folder: borrowing OpenFile) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        self.init(openat(folder.descriptor, name, flags, Self.fileMode))
        // The umask may have removed more permissions than others have.
        _ = fchmod(descriptor, Self.fileMode)
    }

    deinit { close(descriptor) }

    /// The status of the file; nil unless it is a regular file.
    var regularStatus: stat? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return status
    }

    /// Reads bytes from the beginning, and returns their number, which is smaller only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let more = pread(descriptor, rest.baseAddress, rest.count, off_t(count))
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    /// Reads the first bytes; nil if there are fewer.
    func prefix(_ count: Int) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, end in
            end = read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        return bytes.count == count ? bytes : nil
    }

    /// Writes all bytes to the disk, and returns whether it could.
    ///
    /// On Apple platforms, `fsync` leaves the bytes in the cache of the drive (`man 2 fsync`). That suffices: an entry
    /// that a power failure damages there is a miss, since its checksum is wrong.
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

    /// Sets the time of the last use.
    func touch(_ date: Date) {
        let time = timespec(date)
        _ = futimens(descriptor, [time, time])
    }
}

extension stat {
    /// The time of the last use, as ``OpenFile/touch(_:)`` set it.
    var lastUsed: Date {
        #if os(Linux) && !APPLE_BRANCH
            let time = st_mtim
        #else
            let time = st_mtimespec
        #endif
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

// Only for `make apple`: see Message/Payload/AppleBranchShims.swift of StartSmall.
#if os(Linux) && APPLE_BRANCH
    extension stat {
        fileprivate var st_mtimespec: timespec { st_mtim }
    }
#endif
