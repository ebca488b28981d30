import Synchronization

/// The files in the payload of a call, as its first request sends them.
///
/// Each further request of the call, such as a retry or the request after a redirect, has to send the same bytes.
final class SentFiles: Sendable {
    private let stamps = Mutex<[String: PayloadFile.Stamp]>([:])

    /// Checks that no file has changed since an earlier request of the call, and remembers the files.
    ///
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)`` with the name of the changed file.
    func check(_ source: PayloadSource) throws(ConnectionError) {
        for piece in source.pieces {
            guard case .file(let file) = piece else { continue }
            let first = stamps.withLock { stamps in
                let first = stamps[file.path] ?? file.stamp
                stamps[file.path] = first
                return first
            }
            if first != file.stamp { throw file.malformed("the file changed after an earlier request of the call") }
        }
    }
}
