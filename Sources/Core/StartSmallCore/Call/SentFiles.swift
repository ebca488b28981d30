import Synchronization

/// The files in the payload of a call, as its first request sends them.
///
/// Each further request of the call, such as a retry or the request after a redirect, has to send the same bytes.
package final class SentFiles: Sendable {
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// Returns the stamp of a file at the first request of the call that has that file.
    package func first(_ stamp: FileStamp, of path: String) -> FileStamp {
        stamps.withLock { stamps in
            let first = stamps[path] ?? stamp
            stamps[path] = first
            return first
        }
    }
}

/// The values that distinguish a file from other files, and from itself after a change.
package struct FileStamp: Equatable, Sendable {
    package var count: Int
    package var modificationSeconds: Int64
    package var modificationNanoseconds: Int64
    package var device: UInt64
    package var inode: UInt64

    package init(
        count: Int,
        modificationSeconds: Int64,
        modificationNanoseconds: Int64,
        device: UInt64,
        inode: UInt64
    ) {
        self.count = count
        self.modificationSeconds = modificationSeconds
        self.modificationNanoseconds = modificationNanoseconds
        self.device = device
        self.inode = inode
    }
}
