// The part of Foundation that every platform has, and the C library, with what differs between C libraries.
//
// On Linux that is FoundationEssentials, so that an app does not link the rest of Foundation, whose tables of languages
// alone take 40 MB. Elsewhere Foundation is a part of the system.

#if canImport(Darwin) || APPLE_BRANCH
    @_exported public import Foundation

    #if canImport(Darwin)
        @_exported public import Darwin
    #endif

    /// Returns the time at which a file was last changed.
    public func modificationTime(of status: stat) -> timespec { status.st_mtimespec }

    /// Writes the bytes of a file to the disk; returns 0, or -1 with `errno` set.
    ///
    /// `fsync` leaves the bytes in the cache of the drive, and only `F_FULLFSYNC` flushes that cache (`man 2 fsync`).
    /// Not every file system supports `F_FULLFSYNC`; the others get `fsync`.
    package func flushToDisk(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : fsync(descriptor)
    }

    /// The flags of a write to a socket that raises no SIGPIPE.
    ///
    /// Darwin has no such flag, but an option of the socket, which ``refuseSIGPIPE(_:)`` sets.
    package let quietSendFlags: Int32 = 0

    /// Makes a write to a lost connection fail with an error instead of a signal, which would end the process.
    package func refuseSIGPIPE(_ descriptor: Int32) {
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Returns a text in the property list of the app's bundle; nil on platforms that have no bundles.
    package func bundleText(_ key: String) -> String? { Bundle.main.infoDictionary?[key] as? String }
#else
    @_exported public import FoundationEssentials

    #if canImport(Glibc)
        @_exported public import Glibc
    #elseif canImport(Musl)
        @_exported public import Musl
    #elseif canImport(Android)
        @_exported public import Android
    #endif

    /// Returns the time at which a file was last changed.
    public func modificationTime(of status: stat) -> timespec { status.st_mtim }

    /// Writes the bytes of a file to the disk; returns 0, or -1 with `errno` set.
    package func flushToDisk(_ descriptor: Int32) -> Int32 { fsync(descriptor) }

    /// The flags of a write to a socket that raises no SIGPIPE.
    package let quietSendFlags = Int32(MSG_NOSIGNAL)

    /// Makes a write to a lost connection fail with an error instead of a signal: the flags of each write do so.
    package func refuseSIGPIPE(_ descriptor: Int32) {}

    /// Returns a text in the property list of the app's bundle; nil on platforms that have no bundles.
    package func bundleText(_ key: String) -> String? { nil }
#endif

/// Reads bytes of a file from an offset on; returns their number, 0 at the end of the file, or -1 with `errno` set.
///
/// The buffer of Android's `pread` can't be null.
public func pread(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    buffer.baseAddress.map { pread(descriptor, $0, buffer.count, off_t(offset)) } ?? 0
}
