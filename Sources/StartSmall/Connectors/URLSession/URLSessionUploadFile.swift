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

/// A copy of a payload in a temporary file, from which Foundation sends it, and which is removed afterwards.
///
/// The copy is for Apple's platforms: Foundation sends a file piece by piece there, but with its content at that time,
/// and can send a stream again only if it gets a new one. A copy can't change, and a defect of a payload is known
/// before anything is sent. (Linux has ``URLSessionPayloadStream`` instead; there, this type is only compiled and
/// tested.)
enum URLSessionUploadFile {
    /// Copies a payload, calls `body` with the copy, and always removes the copy, at the end of the output.
    ///
    /// - Parameters:
    ///   - source: the payload.
    ///   - folder: the folder for the copy.
    ///   - body: sends the copy.
    static func with(
        _ source: PayloadSource,
        in folder: URL,
        _ body: (URL) async -> Output
    ) async -> Output {
        let file = folder.appending(path: "StartSmall-\(UUID().uuidString)")
        let failure = await copy(source, to: file.path)
        let output = if let failure { Output.noResponse(failure) } else { await body(file) }
        output.onEnd { _ in unlink(file.path) }
        return output
    }

    /// Copies a payload; returns the reason why it could not be copied, or nil.
    ///
    /// A thread outside of Swift's pool waits for the disk.
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

/// A new file that is open for writing, until this value is destroyed.
private struct UploadFile: ~Copyable {
    /// The permissions of the file: only its owner can read and write it.
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

    /// Creates an error that is not the payload's fault: for example, the folder is missing, or the disk is full.
    private static func failed() -> ConnectionError {
        let code = errno
        let text = "the payload can't be copied into the upload folder: \(String(cString: strerror(code)))"
        return .other(ConnectionError.Cause(domain: NSPOSIXErrorDomain, code: Int(code), text: text))
    }
}

/// Calls `write` by another name than that of the calling method.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
