import Foundation

extension OpenFile {
    /// The names in this folder, in no order, without `.` and `..`; nil if the folder is not readable.
    var names: [String]? {
        // The stream closes its descriptor, and a descriptor of its own starts at the first name.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return nil }
        guard let stream = fdopendir(own) else {
            close(own)
            return nil
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Sets the mode of a new folder, from which the umask may have removed more permissions than others have.
    ///
    /// A symbolic link that another process has put in its place is not followed.
    static func setFolderMode(_ path: String, in folder: Int32) {
        fchmodat(folder, path, folderMode, AT_SYMLINK_NOFOLLOW)
    }

    /// Removes a file from this folder, and returns whether there is none of this name now.
    @discardableResult
    func remove(_ name: String) -> Bool {
        unlinkat(descriptor, name, 0) == 0 || errno == ENOENT
    }

    /// Returns the status of a regular file in this folder; nil if there is none of this name.
    func regularStatus(of name: String) -> stat? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return status
    }
}
