import Foundation

/// The error of reading or writing a standard stream.
struct StreamError: Error, Hashable {
    /// The POSIX error number.
    let code: Int32

    /// Whether the reader of a pipe is gone, as in `start-small get URL | head -1`: no one is left to read an error.
    var isClosedPipe: Bool { code == EPIPE }

    /// The system's description of the error.
    var text: String { String(cString: strerror(code)) }
}

/// The standard streams of the process, unbuffered.
enum StandardStream {
    /// Fills the descriptors of closed standard streams, so that no socket gets one and sends output to a server.
    ///
    /// Each descriptor is opened in the opposite direction, so that using it is still an error.
    static func reserveDescriptors() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // `open` uses the lowest free descriptor (POSIX.1-2024, 2.6), and the lower ones are in use by now.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes all bytes, and waits for a slow reader.
    static func write(_ data: Data, to descriptor: Int32) throws(StreamError) {
        var rest = data[...]
        while !rest.isEmpty {
            let (count, code) = rest.withUnsafeBytes { bytes in
                (Foundation.write(descriptor, bytes.baseAddress, bytes.count), errno)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try wait(for: descriptor, POLLOUT, after: code)
            }
        }
    }

    /// Opens a device or a pipe, such as `/dev/null`; nil if the path is that of a file, or does not exist.
    static func openDevice(_ path: String) throws(StreamError) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0, [S_IFCHR, S_IFIFO].contains(status.st_mode & S_IFMT) else { return nil }
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        if descriptor < 0 { throw StreamError(code: errno) }
        return descriptor
    }

    /// Returns whether a descriptor is a pipe or a file that may have bytes to read; not for a terminal or a device.
    static func hasInput(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return status.st_size > lseek(descriptor, 0, SEEK_CUR)
        case S_IFIFO, S_IFSOCK:
            // A pipe without a writer and without bytes is as good as empty.
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&polled, 1, 0) <= 0 || polled.revents & Int16(POLLIN) != 0
        default: return false
        }
    }

    /// Creates a directory if there is none, and returns why no file can be created in it; nil if one can.
    static func failure(ofDirectory path: String) -> StreamError? {
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return access("\(path)/", W_OK | X_OK) == 0 ? nil : StreamError(code: errno)
    }

    /// Reads a whole file into memory.
    static func read(file path: String) throws(StreamError) -> Data {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 { throw StreamError(code: errno) }
        defer { close(descriptor) }
        return try read(descriptor)
    }

    /// Waits until a descriptor has bytes to read, or is at its end; returns false if the task is cancelled before.
    ///
    /// A signal cancels the task, but does not end a call of the system on this thread.
    static func isReadable(_ descriptor: Int32) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !Task.isCancelled {
            let count = poll(&polled, 1, cancellationCheck)
            // A signal may interrupt the wait; any other error is that of the read, too.
            if count > 0 || count < 0 && errno != EINTR { return true }
        }
        return false
    }

    /// The time after which a waiting read checks whether it is cancelled, in milliseconds; a person waits no longer.
    private static let cancellationCheck: Int32 = 100

    /// Reads a descriptor to its end into memory.
    ///
    /// - Throws: the error of the system; `ECANCELED` if the task is cancelled.
    static func read(_ descriptor: Int32) throws(StreamError) -> Data {
        var (all, block) = (Data(), [UInt8](repeating: 0, count: 64 * 1024))
        while true {
            guard isReadable(descriptor) else { throw StreamError(code: ECANCELED) }
            let (count, code) = block.withUnsafeMutableBytes {
                (Foundation.read(descriptor, $0.baseAddress, $0.count), errno)
            }
            if count == 0 { return all }
            if count > 0 {
                all += block[..<count]
            } else {
                try wait(for: descriptor, POLLIN, after: code)
            }
        }
    }

    /// Returns when a retry can succeed: after a signal, or when a non-blocking stream is ready.
    private static func wait<Events: BinaryInteger>(
        for descriptor: Int32,
        _ events: Events,
        after code: Int32
    ) throws(StreamError) {
        if code == EINTR { return }
        guard code == EAGAIN else { throw StreamError(code: code) }
        var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        _ = poll(&polled, 1, -1)
    }
}
