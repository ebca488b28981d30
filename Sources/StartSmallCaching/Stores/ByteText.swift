import Foundation

/// A text that equals another text if their bytes are equal.
///
/// A `String` equals another one with the same characters, however they are composed; for a URL, that is another one.
/// The hash is calculated once: a dictionary asks for that of each key that a change moves.
struct ByteText: Hashable {
    let text: String
    private let hash: Int

    init(_ text: String) {
        var (bytes, hasher) = (text, Hasher())
        bytes.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        (self.text, hash) = (text, hasher.finalize())
    }

    static func == (left: ByteText, right: ByteText) -> Bool {
        if left.hash != right.hash { return false }
        let (left, right) = (left.text.utf8, right.text.utf8)
        if left.count != right.count { return false }
        // In contiguous memory, not by an index into a string: this runs several times for each call.
        let isEqual = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let start = right.baseAddress else { return right.isEmpty }
                return memcmp(left, start, right.count) == 0
            }
        }
        return isEqual.flatMap(\.self) ?? left.elementsEqual(right)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
