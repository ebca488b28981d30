// Symbols of Darwin that Linux does not have, with Darwin's types and values, for `make apple` alone: it compiles on
// Linux what Apple platforms compile, and does not run it. See "Apple platforms" in Docs/CONTRIBUTING.md.
//
// This file is in the first layer that needs one of these symbols (Tests/Layers/layers.txt), so that the later layers
// may use the others: PayloadFile.swift here needs `st_mtimespec`, a committed file needs `F_FULLFSYNC`, and
// StartSmallTesting needs `SO_NOSIGPIPE`.
#if os(Linux) && APPLE_BRANCH
    package import Foundation

    /// The socket option of `sys/socket.h`.
    package let SO_NOSIGPIPE: Int32 = 0x1022

    /// The command of `fcntl.h`.
    package let F_FULLFSYNC: Int32 = 51

    extension stat {
        /// The time of the last modification, as in `sys/stat.h`.
        package var st_mtimespec: timespec { st_mtim }
    }
#endif
