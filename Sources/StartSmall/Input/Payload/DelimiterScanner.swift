import Foundation

/// Finds a delimiter in bytes that come one piece after the other, wherever they are cut.
struct DelimiterScanner: Sendable {
    private let delimiter: Data

    /// The last bytes that have come, as many as could begin a delimiter.
    private var tail = Data()

    init(_ delimiter: Data) {
        self.delimiter = delimiter
    }

    /// Whether the delimiter ends in these bytes, having begun in them or before.
    mutating func finds(in bytes: Data) -> Bool {
        let overlap = delimiter.count - 1
        let seam = tail + bytes.prefix(overlap)
        let isFound = Self.contains(seam, delimiter) || Self.contains(bytes, delimiter)
        tail = Data((bytes.count < overlap ? seam : bytes).suffix(overlap))
        return isFound
    }

    /// By `memchr` and `memcmp`, which go through a payload at the speed of memory, in debug builds too.
    private static func contains(_ bytes: Data, _ delimiter: Data) -> Bool {
        bytes.withUnsafeBytes { bytes in
            delimiter.withUnsafeBytes { delimiter in
                guard let sought = delimiter.baseAddress, let first = delimiter.first else { return false }
                var rest = bytes[...]
                while rest.count >= delimiter.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
                    // It begins no later than where it still fits.
                    let room = rest.count - delimiter.count + 1
                    guard let candidate = memchr(start, Int32(first), room) else { return false }
                    if memcmp(candidate, sought, delimiter.count) == 0 { return true }
                    rest = rest.dropFirst(UnsafeRawPointer(candidate) - start + 1)
                }
                return false
            }
        }
    }
}
