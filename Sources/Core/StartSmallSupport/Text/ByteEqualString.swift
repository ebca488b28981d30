/// A text that equals another text if their bytes are equal.
///
/// To compare or hash a `String`, Swift first sorts the combining marks of each letter, in time that is quadratic in
/// their number, so that one hostile header field can take half a minute. Servers compare text as bytes, too.
package struct ByteEqualString: Hashable, Sendable {
    /// The unchanged text.
    package let text: String

    /// Creates a byte-equal string from a text.
    package init(_ text: String) {
        self.text = text
    }

    /// Whether both texts have the same bytes.
    package static func == (left: ByteEqualString, right: ByteEqualString) -> Bool {
        left.text.isSame(as: right.text)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No text contains this byte: it marks the end of the text in the hash.
        hasher.combine(UInt8.max)
    }
}

// Not generic: other modules would call a generic function for each byte, since they can't specialize it.
extension String {
    /// Returns whether both texts have the same bytes of UTF-8; see ``ByteEqualString``.
    package func isSame(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in other.withUTF8 { bytes.elementsEqual($0) } }
    }

    /// Returns whether both texts are equal, except for the case of ASCII letters.
    package func isSame(withoutCase other: String) -> Bool {
        utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }

    /// Returns whether the text sorts before another one by its bytes of UTF-8; see ``ByteEqualString``.
    package func isBefore(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns whether a byte of UTF-8 satisfies a condition.
    ///
    /// For long texts, this is several times as fast as a search in the view.
    package func hasByte(where isSuch: (UInt8) -> Bool) -> Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(where: isSuch) } ?? utf8.contains(where: isSuch)
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether a text occurs in these bytes; an empty text does not occur.
    package func holds(_ text: String) -> Bool {
        var text = text
        return withUnsafeBytes { bytes in text.withUTF8 { bytes.holds(UnsafeRawBufferPointer($0)) } }
    }
}
