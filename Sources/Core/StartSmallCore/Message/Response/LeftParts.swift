import StartSmallFoundation

/// The files `.NAME.XXXXXXXX.part` that processes left beside a place, because they ended in the midst of a download.
///
/// A process holds an advisory lock on each of its files (`flock`), which ends with the process, however it ends.
enum LeftParts {
    /// The number of entries of a folder that are searched: 10,000, which takes a few milliseconds.
    ///
    /// Each download searches, so that many downloads to one folder would take time with the square of their number.
    private static let searchedEntries = 10_000

    /// Removes the files with a prefix that no running process holds, as far as they are the user's own regular files.
    static func remove(in folder: URL, _ prefix: String) {
        guard let directory = opendir(folder.path) else { return }
        defer { closedir(directory) }
        for _ in 0..<searchedEntries {
            guard let entry = readdir(directory) else { return }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { left($0, prefix) }
            if let name { remove(folder.appendingPathComponent(name).path) }
        }
    }

    /// Returns the name of a directory entry if it has the form of such a file's; as bytes, most entries differ early.
    private static func left(_ entry: UnsafeRawBufferPointer, _ prefix: String) -> String? {
        guard entry.starts(with: prefix.utf8) else { return nil }
        let mark = entry.dropFirst(prefix.utf8.count).prefix { $0 != 0 }
        let (digits, end) = (mark.dropLast(5), mark.suffix(5))
        let isMark = (1...8).contains(digits.count) && digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
        return isMark && end.elementsEqual(".part".utf8) ? prefix + String(decoding: mark, as: UTF8.self) : nil
    }

    private static func remove(_ path: String) {
        var (named, opened) = (stat(), stat())
        // Neither a pipe nor a device is opened, nor the target of a link.
        guard lstat(path, &named) == 0, named.st_mode & S_IFMT == S_IFREG, named.st_uid == geteuid() else { return }
        let file = WritableFile(open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
        guard fstat(file.descriptor, &opened) == 0, opened.st_ino == named.st_ino, opened.st_dev == named.st_dev,
            file.lock()
        else { return }
        unlink(path)
    }
}
