import StartSmallSupport
import StartSmallFoundation

/// Finds a delimiter in bytes that arrive in consecutive pieces, even across their boundaries.
struct DelimiterScanner: Sendable {
    private let delimiter: Data

    /// The last bytes of the input so far, as many as could begin a delimiter.
    private var tail = Data()

    init(_ delimiter: Data) {
        self.delimiter = delimiter
    }

    /// Returns whether the delimiter ends in these bytes; it may begin in earlier ones.
    mutating func finds(in bytes: Data) -> Bool {
        let overlap = delimiter.count - 1
        let seam = tail + bytes.prefix(overlap)
        let isFound = Self.contains(seam, delimiter) || Self.contains(bytes, delimiter)
        tail = Data((bytes.count < overlap ? seam : bytes).suffix(overlap))
        return isFound
    }

    /// Returns a function of consecutive pieces, which returns whether the delimiter ends in them.
    static func finder(of delimiter: Data) -> @Sendable (Data) -> Bool {
        let scanner = Locked(DelimiterScanner(delimiter))
        return { piece in scanner.withLock { $0.finds(in: piece) } }
    }

    // Not inlined: each copy has the loops for all representations of both values.
    @inline(never) private static func contains(_ bytes: Data, _ delimiter: Data) -> Bool {
        bytes.withUnsafeBytes { bytes in delimiter.withUnsafeBytes { bytes.holds($0) } }
    }
}
