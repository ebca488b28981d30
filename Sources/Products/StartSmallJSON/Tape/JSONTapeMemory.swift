import StartSmallFoundation

/// The memory of a text, which zeros follow, and of its words: one block, since a short text takes less time to read
/// than a block to allocate.
///
/// The block is from `malloc`: `UnsafeMutablePointer.allocate` calls `posix_memalign`, which glibc serves without its
/// cache of free blocks, in several times the time.
struct JSONTapeMemory {
    /// The text; at least eight zeros follow.
    private(set) var bytes: UnsafePointer<UInt8>

    /// The words, and the number of those that there is room for.
    private(set) var words: UnsafeMutablePointer<JSONWord>
    private(set) var capacity: Int

    /// The length of the text with the zeros, up to a multiple of a word's length.
    private let length: Int

    init(_ text: UnsafeRawBufferPointer) {
        let zeros = 16 - text.count % 8
        length = text.count + zeros
        // Most texts have one word for every eight bytes.
        capacity = text.count / 8 + 16
        let block = Self.resized(nil, from: 0, to: length + capacity * MemoryLayout<JSONWord>.stride)
        UnsafeMutableRawBufferPointer(start: block, count: text.count).copyMemory(from: text)
        (block + text.count).initializeMemory(as: UInt8.self, repeating: 0, count: zeros)
        (bytes, words) = Self.parts(of: block, length)
    }

    /// Doubles the room for words; text and words may move.
    mutating func grow() {
        let size = length + capacity * MemoryLayout<JSONWord>.stride
        capacity *= 2
        let newSize = length + capacity * MemoryLayout<JSONWord>.stride
        let block = Self.resized(UnsafeMutableRawPointer(mutating: bytes), from: size, to: newSize)
        (bytes, words) = Self.parts(of: block, length)
    }

    func deallocate() { free(UnsafeMutableRawPointer(mutating: bytes)) }

    /// Returns a block of another size with the same content; the old one is no longer valid.
    private static func resized(
        _ old: UnsafeMutableRawPointer?,
        from oldSize: Int,
        to size: Int
    ) -> UnsafeMutableRawPointer {
        guard let block = realloc(old, size) else {
            // Without memory, this ends as every allocation of Swift does.
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<JSONWord>.alignment)
            if let old { block.copyMemory(from: old, byteCount: oldSize) }
            free(old)
            return block
        }
        return block
    }

    private static func parts(
        of block: UnsafeMutableRawPointer,
        _ length: Int
    ) -> (UnsafePointer<UInt8>, UnsafeMutablePointer<JSONWord>) {
        (
            UnsafePointer(block.assumingMemoryBound(to: UInt8.self)),
            (block + length).assumingMemoryBound(to: JSONWord.self)
        )
    }
}
