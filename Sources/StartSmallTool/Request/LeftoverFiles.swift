import Foundation

/// The partial files of downloads whose process was killed before it could remove them.
enum LeftoverFiles {
    /// The name of the file for a download that has no name yet.
    static func temporaryName() -> String { "\(temporaryPrefix)\(UUID().uuidString)" }

    /// The age from which a file is a leftover, one hour: a living download writes, or ends, much sooner.
    static let age: TimeInterval = 3600

    private static let temporaryPrefix = ".start-small-"

    /// Removes leftovers of downloads to a file, or of those that had no name yet; errors are ignored.
    ///
    /// - Parameters:
    ///   - file: the file of the next download.
    ///   - now: the current time.
    static func remove(beside file: URL, now: Date = Date()) {
        let (folder, target) = (file.deletingLastPathComponent(), file.lastPathComponent)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where isPartial(name, of: target) {
            let leftover = folder.appendingPathComponent(name).path
            let attributes = try? FileManager.default.attributesOfItem(atPath: leftover)
            guard attributes?[.type] as? FileAttributeType == .typeRegular,
                let changed = attributes?[.modificationDate] as? Date, now.timeIntervalSince(changed) > age
            else { continue }
            unlink(leftover)
        }
    }

    /// Returns whether a name is `.FILE.XXXXXXXX.part`, where X are hexadecimal digits, or a temporary name.
    ///
    /// For a temporary name, the parts of all temporary names are leftovers, too.
    private static func isPartial(_ name: String, of file: String) -> Bool {
        if isTemporary(file), isTemporary(name) { return true }
        let parts = name.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        guard name.hasPrefix("."), parts.count > 2, parts.last == "part", let mark = parts.dropLast().last,
            (1...8).contains(mark.count), mark.allSatisfy({ "0123456789abcdef".contains($0) })
        else { return false }
        let whole = parts.dropLast(2).joined(separator: ".")
        return whole == file || isTemporary(file) && isTemporary(whole)
    }

    private static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(temporaryPrefix) && UUID(uuidString: String(name.dropFirst(temporaryPrefix.count))) != nil
    }
}
