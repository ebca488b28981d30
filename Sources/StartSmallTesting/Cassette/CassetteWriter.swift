import Foundation

/// A writer of a cassette's file that grows during recording.
struct CassetteWriter {
    private let file: URL

    /// The identity among the recorders of this process.
    private let id = UInt64.random(in: .min ... .max)

    /// The exchanges that were in the file before this recording; nil if it replaces them.
    private let earlier: [Exchange]?

    /// The text of each exchange in the file.
    private var texts: [Data] = []

    /// The size of the file in bytes after the last write; nil before the first write.
    private var size: Int?

    /// Whether this process has locked the file for writing.
    private var isLocked = false

    init(_ file: URL, after earlier: [Exchange]?) { (self.file, self.earlier) = (file, earlier) }

    /// Writes the texts of all exchanges from an index on; the earlier ones stay unchanged.
    ///
    /// Exchanges after all others are appended to the file. Any other change writes the whole file atomically.
    ///
    /// - Throws: the errors of Foundation, and ``CassetteError`` if another process, or another recorder of this one,
    ///   records to the same file.
    mutating func write(_ new: [Data], from first: Int) throws {
        if !isLocked {
            guard RecordingLock.acquire(for: file) else { throw CassetteError("another process records to this file") }
            isLocked = true
        }
        try RecordingLock.writing(file) { last in
            if let other = last, other != id, !hasOnlyKnown {
                throw CassetteError(
                    "another wrapper of this process has recorded to this file, and its exchanges would be lost: "
                        + "share one value of .record(to:) between the connectors, or add to the file by .replay(from:)"
                )
            }
            last = id
            try writeAlone(new, from: first)
        }
    }

    private mutating func writeAlone(_ new: [Data], from first: Int) throws {
        let before = texts.count
        texts.replaceSubrange(first..., with: new)
        let known = size
        size = nil
        if let known, first == before, first > 0, try add(new, toSize: known) { return }
        let data = CassetteLayout.file(of: texts)
        try Cassette.write(data, to: file)
        size = data.count
    }

    /// Whether the file does not exist, or has only exchanges that this recorder writes, too.
    private var hasOnlyKnown: Bool {
        guard let data = try? Data(contentsOf: file) else { return true }
        if size != nil { return data == CassetteLayout.file(of: texts) }
        return earlier.map { $0 == (try? Cassette(reading: data))?.exchanges } ?? false
    }

    /// Appends exchanges; returns false if the file's size changed, because another program wrote or removed the file.
    private mutating func add(_ texts: [Data], toSize known: Int) throws -> Bool {
        guard let handle = try? FileHandle(forUpdating: file) else { return false }
        defer { try? handle.close() }
        guard try handle.seekToEnd() == known else { return false }
        for step in CassetteLayout.steps(adding: texts, toSize: known) {
            try handle.seek(toOffset: UInt64(step.offset))
            try handle.write(contentsOf: step.bytes)
        }
        size = Int(try handle.seekToEnd())
        return true
    }
}
