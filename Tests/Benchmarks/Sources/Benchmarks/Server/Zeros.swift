#if os(Linux)
    import Foundation

    /// Sparse files of zeros, which take no disk space: the values of the bytes do not matter here.
    enum Zeros {
        static func write(_ bytes: Int, to place: URL) throws {
            _ = FileManager.default.createFile(atPath: place.path, contents: nil)
            let file = try FileHandle(forWritingTo: place)
            try file.truncate(atOffset: UInt64(bytes))
            try file.close()
        }
    }
#endif
