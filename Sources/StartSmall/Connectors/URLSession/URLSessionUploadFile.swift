import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A payload copied into a file of the engine's own, from which Foundation sends it, and which is removed afterwards.
///
/// For Apple's platforms, where Foundation sends a file piece by piece, but as it then is, and can send a stream again
/// only if it is given another. A copy can't change, and what is wrong with a payload is known before anything is sent.
/// (Linux has ``URLSessionPayloadStream`` instead; there this is only compiled and tested.)
enum URLSessionUploadFile {
    /// Copies a payload, gives `body` the copy, and removes it, whatever happens.
    static func with(
        _ source: PayloadSource,
        in folder: URL,
        _ body: (URL) async -> Output
    ) async -> Output {
        let file = folder.appending(path: "StartSmall-\(UUID().uuidString)")
        defer { unlink(file.path) }
        if let error = await copy(source, to: file.path) { return .noResponse(error) }
        return await body(file)
    }

    /// Why a payload could not be copied, or nil; it waits for the disk on a thread that is not of Swift's pool.
    private static func copy(_ source: PayloadSource, to path: String) async -> ConnectionError? {
        let isCancelled = Atomic(false)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    do throws(ConnectionError) {
                        var file = try UploadFile(path)
                        var reader = source.reader()
                        while let bytes = try reader.next() {
                            if isCancelled.load(ordering: .relaxed) { throw .cancelled }
                            try file.write(bytes)
                        }
                        continuation.resume(returning: nil)
                    } catch {
                        continuation.resume(returning: error)
                    }
                }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
    }
}

/// A new file that is open for writing, until this goes away.
private struct UploadFile: ~Copyable {
    /// Nobody else's business.
    private static let mode: mode_t = 0o600

    private let descriptor: Int32

    init(_ path: String) throws(ConnectionError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, Self.mode)
        guard descriptor >= 0 else { throw Self.failed() }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    mutating func write(_ data: Data) throws(ConnectionError) {
        var rest = data
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw Self.failed() }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Not the payload's fault: the folder is missing, say, or the disk is full.
    private static func failed() -> ConnectionError {
        let code = errno
        let text = "no copy of the payload to send it from: \(String(cString: strerror(code)))"
        return .other(ConnectionError.Cause(domain: NSPOSIXErrorDomain, code: Int(code), text: text))
    }
}

/// `write`, by another name than that of the method which calls it.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
