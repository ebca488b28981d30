/// A text that equals another text if their bytes are equal.
///
/// A `String` equals another one with the same characters, however they are composed; for a URL, that is another one.
struct ByteText: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ByteText, right: ByteText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No text contains this byte: it marks the end of the text in the hash.
        hasher.combine(UInt8.max)
    }
}
