import Foundation

/// Inputs in the repository, a file each, byte for byte: initial examples, and all inputs that ever failed.
enum Corpus {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Corpus", directoryHint: .isDirectory)

    /// Returns the inputs of a target, in the order of their file names.
    static func inputs(of target: Target) throws -> [[UInt8]] {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder.appending(path: target.name),
            includingPropertiesForKeys: nil
        )
        return try files.sorted { $0.path < $1.path }.map { Array(try Data(contentsOf: $0)) }
    }

    /// Keeps an input that failed, and returns the path of its file.
    static func keep(_ input: [UInt8], of target: Target) throws -> String {
        // FNV-1a: equal inputs share one file.
        let hash = input.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let file = folder.appending(path: "\(target.name)/found-\(String(hash, radix: 16)).txt")
        try Data(input).write(to: file)
        return file.path
    }
}
