import Foundation

/// The files of a key's variants, and which of them a response with a variant goes to.
///
/// They have no gap, since a reader stops at the first missing one. Only an eviction makes one; the next response that
/// is stored fills it.
struct EntrySlots {
    /// The name of the file to write: that of the variant, or a free one, or that of the least recently used response.
    let target: String

    /// The names of the files with the variant; several only if two processes stored it at the same time.
    let outdated: [String]

    /// The names of all files.
    private var taken: [String] = []

    init(in folder: borrowing OpenFile, of address: EntryAddress, _ variant: [UInt8]) {
        let names = address.fileNames
        var (free, oldest): (String?, (name: String, lastUsed: Date)?)
        var outdated: [String] = []
        for name in names {
            guard let file = OpenFile(name, in: folder), let status = file.regularStatus else {
                // A link or a pipe can be removed; what stands in the way of a file, such as a folder, stays.
                if folder.remove(name) { free = free ?? name }
                continue
            }
            taken.append(name)
            let prefix = file.prefix(Entry.prefixSize)
            if prefix?[Entry.variantOffset...].elementsEqual(variant) == true { outdated.append(name) }
            if status.lastUsed < oldest?.lastUsed ?? .distantFuture { oldest = (name, status.lastUsed) }
        }
        self.outdated = outdated
        target = outdated.first ?? free ?? oldest?.name ?? names[0]
    }

    /// Removes a file, and moves the last one to its place; returns whether the file is removed.
    mutating func remove(_ name: String, from folder: borrowing OpenFile) -> Bool {
        guard folder.remove(name) else { return false }
        if let last = taken.popLast(), last != name {
            _ = renameat(folder.descriptor, last, folder.descriptor, name)
        }
        return true
    }
}
