import Foundation

/// A cassette's file that grows while it is recorded.
struct CassetteWriter {
    private let file: URL

    /// Each exchange as it stands in the file.
    private var texts: [Data] = []

    /// How many bytes the file had when it was left; nil before it is written.
    private var size: Int?

    /// Whether this process is the one that may write the file.
    private var isLocked = false

    init(_ file: URL) { self.file = file }

    /// Writes the texts of all exchanges from one on; those before it are as they were.
    ///
    /// What comes behind all others is put behind them, and is written by no other. Anything else is written with the
    /// whole file, which is there as a whole or as it was before.
    ///
    /// - Throws: what Foundation says, and ``CassetteError`` if another process records to the same file.
    mutating func write(_ new: [Data], from first: Int) throws {
        if !isLocked {
            guard RecordingLock.acquire(for: file) else { throw CassetteError("another process records to this file") }
            isLocked = true
        }
        let before = texts.count
        texts.replaceSubrange(first..., with: new)
        let known = size
        size = nil
        if let known, first == before, first > 0, try add(new, toSize: known) { return }
        let data = CassetteLayout.file(of: texts)
        try Cassette.write(data, to: file)
        size = data.count
    }

    /// False if the file is not as it was left, since somebody else wrote it, or took it away.
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
