// Symbols of Darwin that Linux does not have, with Darwin's types and values, for `make apple` alone: it compiles on Linux
// what Apple platforms compile, and none of it is run. See "Apple platforms" in Docs/CONTRIBUTING.md.
#if os(Linux) && APPLE_BRANCH
    package import Foundation

    /// `sys/socket.h`.
    package let SO_NOSIGPIPE: Int32 = 0x1022

    /// `fcntl.h`.
    package let F_FULLFSYNC: Int32 = 51

    extension stat {
        /// `sys/stat.h`.
        package var st_mtimespec: timespec { st_mtim }
    }
#endif
