import Foundation

extension FileHandle {
    /// Writes the bytes of the file to the disk, so that a power failure does not lose them.
    ///
    /// On Apple platforms, `fsync` leaves the bytes in the cache of the drive, and only `F_FULLFSYNC` flushes that
    /// cache (`man 2 fsync`). Not every file system there supports `F_FULLFSYNC`; the others get `fsync`.
    func synchronizeToDisk() throws {
        #if !os(Linux) || APPLE_BRANCH
            if fcntl(fileDescriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try synchronize()
    }
}
