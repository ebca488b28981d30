import Foundation

/// A file that is being written beside its place, and moved there when it is whole.
struct PartialFile: Sendable {
    /// Where it will be.
    let place: URL

    /// How many bytes were written.
    private(set) var size = 0

    private let part: URL
    private let handle: FileHandle

    /// Creates an empty file `.NAME.XXXXXXXX.part` in the folder of its place.
    init(beside place: URL) throws {
        self.place = place
        let mark = String(UInt32.random(in: .min ... .max), radix: 16)
        part = place.deletingLastPathComponent().appendingPathComponent(".\(place.lastPathComponent).\(mark).part")
        try Data().write(to: part, options: .withoutOverwriting)
        handle = try FileHandle(forWritingTo: part)
    }

    /// Writes at the end.
    mutating func append(_ data: Data) throws {
        try handle.write(contentsOf: data)
        size += data.count
    }

    /// Forgets what was written.
    mutating func clear() throws {
        try handle.truncate(atOffset: 0)
        size = 0
    }

    /// Puts the file into its place, over whatever is there.
    func commit() throws {
        try handle.close()
        guard rename(part.path, place.path) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Removes the file.
    func discard() {
        try? handle.close()
        try? FileManager.default.removeItem(at: part)
    }
}
