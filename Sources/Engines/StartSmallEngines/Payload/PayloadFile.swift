package import StartSmallCore
import StartSmallSupport
package import StartSmallFoundation

/// A regular file and its state when a payload was created from it.
package struct PayloadFile: Sendable {
    let path: String
    let stamp: FileStamp

    /// Inspects a file, following links, and opens it once to make sure that it can be read.
    package init(at url: URL) throws(ConnectionError) {
        guard url.isFileURL else {
            let shown = Redaction.standard.shown(url: url.absoluteString)
            throw .malformedPayload(debugInfo: "not a file URL: \(shown)")
        }
        path = url.absoluteURL.path(percentEncoded: false)
        let file = try OpenPayloadFile(path)
        stamp = try file.stamp()
        // The system generates such a file while it is read (`/proc`, `/sys`), so its size is not known before.
        if stamp.count == 0, try !file.read(atMost: 1, from: 0).isEmpty {
            throw malformed("a file of unknown size: it reports 0 bytes but has some")
        }
    }

    /// Returns an error that names the file.
    func malformed(_ reason: String) -> ConnectionError {
        OpenPayloadFile.malformed(reason, path)
    }
}

/// A file that is open for reading as long as this value exists.
struct OpenPayloadFile: ~Copyable, Sendable {
    private let path: String
    private let descriptor: Int32

    /// Opens a regular file only: reading a device or a pipe may never end, and even opening one may block.
    init(_ path: String) throws(ConnectionError) {
        // The system's functions read the path only up to the NUL, which would name another file.
        if path.utf8.contains(0) { throw Self.malformed("a NUL in the path", path) }
        var status = stat()
        guard retrying({ stat(path, &status) }) == 0 else {
            throw Self.malformed("the file does not exist or is not accessible, \(Self.lastError)", path)
        }
        try Self.check(status, path)
        // Non-blocking, in case the file has been replaced by a pipe meanwhile.
        let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard descriptor >= 0 else { throw Self.malformed("unreadable, \(Self.lastError)", path) }
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { close(descriptor) }

    func stamp() throws(ConnectionError) -> FileStamp {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Self.malformed("unreadable, \(Self.lastError)", path) }
        try Self.check(status, path)
        guard let count = Int(exactly: status.st_size) else { throw Self.malformed("too large", path) }
        let modification = modificationTime(of: status)
        return FileStamp(
            count: count,
            modificationSeconds: Int64(modification.tv_sec),
            modificationNanoseconds: Int64(modification.tv_nsec),
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }

    /// Reads at most `count` bytes from `offset` on; fewer if the system has no more available, and none at the end.
    func read(atMost count: Int, from offset: Int) throws(ConnectionError) -> Data {
        var data = Data(count: count)
        let read = data.withUnsafeMutableBytes { buffer in
            retrying { pread(descriptor, into: buffer, from: offset) }
        }
        guard read >= 0 else { throw Self.malformed("unreadable, \(Self.lastError)", path) }
        return read == count ? data : data.prefix(read)
    }

    static func malformed(_ reason: String, _ path: String) -> ConnectionError {
        .malformedPayload(debugInfo: "\(reason): \(path.onOneLine)")
    }

    private static func check(_ status: stat, _ path: String) throws(ConnectionError) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFDIR: throw malformed("a folder, not a file", path)
        default: throw malformed("not a regular file", path)
        }
    }

    private static var lastError: String { String(cString: strerror(errno)) }
}
