import Foundation

extension FileHandle {
    /// Writes the bytes of the file through to the disk, so that a power cut does not lose them.
    ///
    /// On Apple platforms, `fsync` leaves them in the cache of the drive, and only `F_FULLFSYNC` empties that (`man 2 fsync`).
    /// Not every file system there supports it; `fsync` is used on those that do not.
    func synchronizeToDisk() throws {
        #if !os(Linux) || APPLE_BRANCH
            if fcntl(fileDescriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try synchronize()
    }
}
