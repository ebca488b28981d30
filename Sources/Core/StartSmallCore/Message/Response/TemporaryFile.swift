public import StartSmallSupport
import Dispatch
public import StartSmallFoundation
import Synchronization

/// The payload of a response in a file that is not in its place yet.
///
/// The file belongs to the response: it is removed with its last reference, and at the latest when its call ends.
/// Exception: once the transform has accepted the response, ``WebAPI`` moves the file to the place of
/// ``Delivery/file(_:)``. A wrapper or a transform can read the file before that. A file is equal to itself only.
public struct TemporaryFile: Sendable {
    fileprivate let owner: Owner

    /// The URL of the file until it is moved or removed.
    public var url: URL { owner.url }

    /// The number of bytes.
    public var size: Int { owner.size.load(ordering: .relaxed) }

    /// Appends bytes.
    ///
    /// - Throws: ``ConnectionError/unwritableDestination(debugInfo:)`` if the disk fails, or the file is moved or
    ///   removed.
    func append(_ data: Data) async throws(ConnectionError) {
        let id = owner.id
        let size = try await owner.files.perform(on: owner.place) { files in
            guard var file = files.open[id] else { throw POSIXError(.ENOENT) }
            try file.append(data)
            files.open[id] = file
            return file.size
        }
        owner.size.store(size, ordering: .relaxed)
    }

    /// Returns whether the file has these bytes at an offset.
    ///
    /// - Throws: ``ConnectionError/unwritableDestination(debugInfo:)`` if the disk fails, or the file is moved or
    ///   removed.
    package func hasBytes(_ data: Data, at offset: Int) async throws(ConnectionError) -> Bool {
        let id = owner.id
        return try await owner.files.perform(on: owner.place) { files in
            guard let file = files.open[id] else { throw POSIXError(.ENOENT) }
            return try file.hasBytes(data, at: offset)
        }
    }

    /// Moves the file to a place; after an error, the file is removed.
    func commit(to place: URL) async throws(ConnectionError) {
        let id = owner.id
        try await owner.files.perform(on: place) { files in
            guard let file = files.open.removeValue(forKey: id) else { throw POSIXError(.ENOENT) }
            do { try file.commit(to: place) } catch {
                file.discard()
                throw error
            }
        }
    }

    /// Returns the bytes of the file.
    package func contents() async throws(ConnectionError) -> Data {
        let url = url
        return try await owner.files.perform(on: owner.place) { _ in try Data(contentsOf: url) }
    }

    /// Removes the file soon, whoever keeps a reference, unless it was moved to its place.
    func discard() { owner.files.remove(owner.id) }
}

extension TemporaryFile: Hashable, ComparedByKey {
    package var comparedKey: ObjectIdentifier { ObjectIdentifier(owner) }
}

extension TemporaryFile: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The number of bytes, without the path.
    public var description: String { "\(size) bytes in a file" }
}

/// The identity of a temporary file, which is removed with it.
private final class Owner: Sendable {
    let files: TemporaryFiles
    let id: Int
    let url: URL

    /// The place beside which the file is.
    let place: URL
    let size = Atomic(0)

    init(_ files: TemporaryFiles, _ id: Int, at url: URL, beside place: URL) {
        (self.files, self.id, self.url, self.place) = (files, id, url, place)
    }

    deinit { files.remove(id) }
}

/// The temporary files of one call.
///
/// They are written, moved and removed on a queue: a disk can block a thread for long, and threads of Swift's
/// concurrency pool must not be blocked. When the call ends, all that are left are removed, also those of an abandoned
/// attempt that still runs.
package final class TemporaryFiles: EndingCallValue {
    fileprivate struct Files: Sendable {
        /// The files that are neither moved nor removed, by their numbers.
        var open: [Int: PartialFile] = [:]
        var lastID = 0
        var isOver = false
    }

    package enum Part: Sendable {
        case chunk(Data)

        /// The file begins anew, without the chunks so far.
        case restart
        case end
    }

    private let queue = DispatchQueue(label: "StartSmall.files")
    private let files = Mutex(Files())

    package init() {}

    /// Creates an empty file beside a place.
    ///
    /// - Throws: ``ConnectionError/unwritableDestination(debugInfo:)`` if there can't be a file;
    ///   ``ConnectionError/cancelled`` after the end of the call.
    func file(beside place: URL) async throws(ConnectionError) -> TemporaryFile {
        let (id, url) = try await perform(on: place) { files in
            if files.isOver { throw ConnectionError.cancelled }
            let file = try PartialFile(beside: place, isFirst: files.lastID == 0)
            files.lastID += 1
            files.open[files.lastID] = file
            return (files.lastID, file.part)
        }
        return TemporaryFile(owner: Owner(self, id, at: url, beside: place))
    }

    /// Returns a file beside a place with all parts that a function returns; after an error, there is none.
    package func file(
        beside place: URL,
        of next: (_ file: TemporaryFile) async throws(ConnectionError) -> Part
    ) async throws(ConnectionError) -> TemporaryFile {
        var file = try await file(beside: place)
        do throws(ConnectionError) {
            while true {
                switch try await next(file) {
                case .chunk(let data): try await file.append(data)
                case .end: return file
                case .restart:
                    file.discard()
                    file = try await self.file(beside: place)
                }
            }
        } catch {
            file.discard()
            throw error
        }
    }

    /// Removes the files that are left, and lets no more be created.
    package func end() async {
        await withCheckedContinuation { done in
            queue.async {
                self.files.withLock { files in
                    for file in files.open.values { file.discard() }
                    (files.open, files.isOver) = ([:], true)
                }
                done.resume()
            }
        }
    }

    fileprivate func remove(_ id: Int) {
        queue.async { self.files.withLock { $0.open.removeValue(forKey: id)?.discard() } }
    }

    /// Changes the files on the queue, and returns the result.
    fileprivate func perform<Value: Sendable>(
        on place: URL,
        _ change: @escaping @Sendable (inout Files) throws -> Value
    ) async throws(ConnectionError) -> Value {
        let result: Result<Value, ConnectionError> = await withCheckedContinuation { done in
            queue.async {
                let result = Result { try self.files.withLock { try change(&$0) } }
                done.resume(
                    returning: result.mapError { error in
                        let text = "\(place.lastPathComponent.onOneLine): \(SystemErrorText.text(of: error))"
                        return error as? ConnectionError ?? .unwritableDestination(debugInfo: text)
                    }
                )
            }
        }
        return try result.get()
    }
}

extension CallContext {
    /// The temporary files of the call; new ones if its payload does not go to a file, as far as the call knows.
    package var temporaryFiles: TemporaryFiles { values?.existing(TemporaryFiles.self) ?? TemporaryFiles() }
}
