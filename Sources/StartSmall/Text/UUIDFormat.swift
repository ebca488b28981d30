public import Foundation

/// The rules of RFC 9562 that the kit needs: random UUIDs and their text.
@usableFromInline
enum UUIDFormat {
    /// Creates a UUID of version 4, with all bits random except six (RFC 9562 5.4).
    ///
    /// The result is as good as that of `UUID()`, which on Linux opens and reads a file for each UUID.
    @usableFromInline
    static func random() -> UUID {
        #if os(Linux) && !APPLE_BRANCH
            // One system call for both numbers, since the call costs more than all the rest.
            var numbers: (UInt64, UInt64) = (0, 0)
            if withUnsafeMutableBytes(of: &numbers, { getentropy($0.baseAddress, $0.count) }) == 0 {
                return uuid(numbers.0, numbers.1)
            }
        #endif
        return random { .random(in: .min ... .max) }
    }

    /// Creates a UUID of version 4 from two random numbers.
    static func random(_ random: () -> UInt64) -> UUID {
        uuid(random(), random())
    }

    private static func uuid(_ first: UInt64, _ second: UInt64) -> UUID {
        let high = first & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ bits: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bits >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3),
                byte(high, 4), byte(high, 5), byte(high, 6), byte(high, 7),
                byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3),
                byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            )
        )
    }

    /// Returns the lowercase text of a UUID, as RFC 9562 4 recommends.
    static func text(of uuid: UUID) -> String {
        withUnsafeBytes(of: uuid.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var end = 0
                for (index, byte) in bytes.enumerated() {
                    if dashed.contains(index) {
                        text[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    text[end] = digit(byte >> 4)
                    text[end + 1] = digit(byte & 15)
                    end += 2
                }
                return end
            }
        }
    }

    /// The indices of the bytes after a dash.
    private static let dashed = [4, 6, 8, 10]

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
