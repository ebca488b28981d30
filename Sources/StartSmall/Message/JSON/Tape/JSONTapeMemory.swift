#if canImport(Darwin)
    import Darwin
#else
    import Foundation
#endif

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

    /// Copies a text.
    init(_ text: UnsafeRawBufferPointer) {
        let zeros = 16 - text.count % 8
        length = text.count + zeros
        // Most texts have one word for every eight bytes.
        capacity = text.count / 8 + 16
        let block = Self.block(realloc(nil, length + capacity * MemoryLayout<JSONWord>.stride))
        UnsafeMutableRawBufferPointer(start: block, count: text.count).copyMemory(from: text)
        (block + text.count).initializeMemory(as: UInt8.self, repeating: 0, count: zeros)
        (bytes, words) = Self.parts(of: block, length)
    }

    /// Doubles the room for words; text and words may move.
    mutating func grow() {
        capacity *= 2
        let old = UnsafeMutableRawPointer(mutating: bytes)
        let block = Self.block(realloc(old, length + capacity * MemoryLayout<JSONWord>.stride))
        (bytes, words) = Self.parts(of: block, length)
    }

    func deallocate() { free(UnsafeMutableRawPointer(mutating: bytes)) }

    private static func block(_ block: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer {
        guard let block else { fatalError("There is no memory for JSON.") }
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
