/// A text that is the same as another if its bytes are.
///
/// To compare or hash a `String`, Swift first puts the accents on each of its letters in order, in time that grows with
/// the square of them, so that half a minute may go by over one hostile header. To a server, texts are bytes, too.
package struct ByteEqualString: Hashable, Sendable {
    /// The text as it is.
    package let text: String

    /// Takes a text.
    package init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    /// Whether both have the same bytes.
    package static func == (left: ByteEqualString, right: ByteEqualString) -> Bool {
        left.text.isSame(as: right.text)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No text has this byte: where one ends is hashed, too.
        hasher.combine(UInt8.max)
    }
}

/// Bytes that are hashed at once: an array hashes them one by one.
package struct ByteString: Hashable, Sendable {
    /// The bytes as they are.
    package let bytes: [UInt8]

    /// Takes bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        hasher.combine(bytes.count)
    }
}

extension StringProtocol {
    /// Whether both have the same bytes of UTF-8; see ``ByteEqualString``.
    package func isSame(as other: some StringProtocol) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // To ask the views takes 60 times as long from another module, where nothing is specialized.
        let isSame = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { bytes.elementsEqual($0) }
        }
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }

    /// Whether both are the same but for the case of the letters that ASCII has.
    package func isSame(withoutCase other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Whether its bytes of UTF-8 come first where texts are sorted by them; see ``ByteEqualString``.
    package func isBefore(_ other: some StringProtocol) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Whether it has such a byte of UTF-8: several times as quick over a long text as to ask its view.
    func hasByte(where isSuch: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(where: isSuch) } ?? utf8.contains(where: isSuch)
    }

    /// Whether all of it is ASCII.
    package var isASCII: Bool { !hasByte { $0 >= 0x80 } }
}

extension RandomAccessCollection<UInt8> {
    /// Whether a text stands anywhere in them; the `contains(_:)` of the standard library takes many times as long.
    func holds(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return true }
        return indices.contains { self[$0] == first && self[$0...].starts(with: text.utf8) }
    }
}
