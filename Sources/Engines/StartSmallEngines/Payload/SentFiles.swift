import StartSmallCore
import Synchronization

/// The files in the payload of a call, as its first request sends them.
///
/// Each further request of the call, such as a retry or the request after a redirect, has to send the same bytes.
final class SentFiles: CallValue {
    private let stamps = Mutex<[String: FileStamp]>([:])

    /// Returns the stamp of a file at the first request of the call that has that file.
    func first(_ stamp: FileStamp, of path: String) -> FileStamp {
        stamps.withLock { stamps in
            let first = stamps[path] ?? stamp
            stamps[path] = first
            return first
        }
    }
}

/// The values that distinguish a file from other files, and from itself after a change.
struct FileStamp: Equatable, Sendable {
    var count: Int
    var modificationSeconds: Int64
    var modificationNanoseconds: Int64
    var device: UInt64
    var inode: UInt64
}
