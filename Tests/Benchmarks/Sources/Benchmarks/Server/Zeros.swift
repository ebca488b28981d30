#if os(Linux)
    import Foundation

    /// Files of zeros, which take no room on the disk: what the bytes are makes no difference to anyone here.
    enum Zeros {
        static func write(_ bytes: Int, to place: URL) throws {
            _ = FileManager.default.createFile(atPath: place.path, contents: nil)
            let file = try FileHandle(forWritingTo: place)
            try file.truncate(atOffset: UInt64(bytes))
            try file.close()
        }
    }
#endif
