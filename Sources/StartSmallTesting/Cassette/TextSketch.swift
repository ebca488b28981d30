import Foundation
import StartSmall

/// Which secrets may stand in some texts and bytes: soon said of many secrets, since hardly one of them does.
///
/// It is a set of bits, one for each eight bytes in a row (Bloom, *Space/time trade-offs in hash coding with allowable
/// errors*, 1970). It may say yes where no would be right, and never the other way round.
struct TextSketch {
    private var bits: [UInt64]

    /// How far the product of eight bytes is moved, so that the number of a bit is left.
    private let shift: Int

    /// Whether there are bytes, in which a secret may stand in any encoding.
    private let hasBytes: Bool

    /// Makes a sketch of texts, in all forms in which a secret may be written in them, and of bytes that are no text.
    init(of texts: [String], and bytes: [Data] = []) {
        hasBytes = !bytes.isEmpty
        let forms = texts.flatMap { WrittenText.forms(of: $0).map(\.bytes) } + bytes.map { Array($0) }
        // At least eight bits for each that is set, so that most are not.
        let count = max(64, forms.reduce(0) { $0 + $1.count } * 8)
        let width = count.bitWidth - (count - 1).leadingZeroBitCount
        (bits, shift) = (Array(repeating: 0, count: 1 << (width - 6)), 64 - width)
        for form in forms {
            var bytes: UInt64 = 0
            for (index, byte) in form.enumerated() {
                bytes = bytes << 8 | UInt64(byte)
                guard index >= 7 else { continue }
                let bit = number(of: bytes)
                bits[bit >> 6] |= 1 << UInt64(bit & 63)
            }
        }
    }

    /// Those of many secrets, of eight bytes or more each, that may be there.
    func among(_ secrets: KnownSecrets) -> [String: Int] {
        secrets.among(text: { mayHold($0) }, bytes: hasBytes ? { mayHold($0) } : nil)
    }

    /// What has less than eight bytes may be there in any case.
    private func mayHold(_ text: some Sequence<UInt8>) -> Bool {
        var (bytes, count): (UInt64, Int) = (0, 0)
        for byte in text {
            bytes = bytes << 8 | UInt64(byte)
            count += 1
            guard count >= 8 else { continue }
            let bit = number(of: bytes)
            if bits[bit >> 6] & 1 << UInt64(bit & 63) == 0 { return false }
        }
        return true
    }

    /// Fibonacci hashing (Knuth, *The Art of Computer Programming* 6.4): the upper bits of a product with 2^64 over the
    /// golden ratio.
    private func number(of bytes: UInt64) -> Int {
        Int(truncatingIfNeeded: (bytes &* 0x9E37_79B9_7F4A_7C15) >> UInt64(shift))
    }
}

extension Exchange {
    /// A sketch of all that is in it.
    var sketch: TextSketch { TextSketch { _ = changed(by: $0) } }
}

extension Input {
    /// A sketch of all that is in it.
    var sketch: TextSketch { TextSketch { _ = changed(by: $0) } }
}

extension TextSketch {
    /// Makes a sketch of what a change gets to see.
    fileprivate init(_ show: (ExchangeChange) -> Void) {
        var (texts, bytes) = ([String](), [Data]())
        let look = { (text: String) in
            texts.append(text)
            return text
        }
        show(
            ExchangeChange(
                url: look,
                field: { look($0.value) },
                payload: { payload in
                    let text = payload.text
                    texts += text.map { [$0.text] } ?? []
                    if !payload.isPlain(text) { bytes.append(payload.data) }
                    return payload.data
                },
                word: look,
                name: look
            )
        )
        self.init(of: texts, and: bytes)
    }
}
