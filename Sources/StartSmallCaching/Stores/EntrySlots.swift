import Foundation

/// The files of a key's variants, and which of them a response with a variant goes to.
struct EntrySlots {
    /// The name of the file to write: that of the variant, or a free one, or that of the least recently used response.
    let target: String

    /// The names of the files with the variant; several only if two processes stored it at the same time.
    let outdated: [String]

    /// The cost of the file that is replaced; 0 if there is none.
    let replacedCost: Int

    init(in folder: borrowing OpenFile, of address: EntryAddress, _ variant: [UInt8]) {
        let names = address.fileNames
        var (free, oldest): (String?, (name: String, lastUsed: Date)?)
        var outdated: [String] = []
        for name in names {
            guard let file = OpenFile(name, in: folder), let status = file.regularStatus else {
                free = free ?? name
                continue
            }
            let prefix = file.prefix(Entry.prefixSize)
            if prefix?[Entry.variantOffset...].elementsEqual(variant) == true { outdated.append(name) }
            if status.lastUsed < oldest?.lastUsed ?? .distantFuture { oldest = (name, status.lastUsed) }
        }
        self.outdated = outdated
        target = outdated.first ?? free ?? oldest?.name ?? names[0]
        replacedCost = folder.regularStatus(of: target).map { DirectoryCache.cost(ofSize: Int($0.st_size)) } ?? 0
    }
}
