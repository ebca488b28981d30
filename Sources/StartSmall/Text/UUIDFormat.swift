public import Foundation

/// The rules of RFC 9562 that everything here needs: UUIDs of random numbers, and how they are written.
@usableFromInline
enum UUIDFormat {
    /// A UUID of version 4: random but for six bits (RFC 9562 5.4).
    ///
    /// As good as that of `UUID()`, which on Linux opens and reads a file for each.
    @usableFromInline
    static func random() -> UUID {
        #if os(Linux) && !APPLE_BRANCH
            // Both numbers at once: to ask the system costs more than all the rest.
            var numbers: (UInt64, UInt64) = (0, 0)
            if withUnsafeMutableBytes(of: &numbers, { getentropy($0.baseAddress, $0.count) }) == 0 {
                return uuid(numbers.0, numbers.1)
            }
        #endif
        return random { .random(in: .min ... .max) }
    }

    /// A UUID of version 4, of two numbers that are random.
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

    /// A UUID in small letters, as they should be written (RFC 9562 4).
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

    /// The bytes before which a dash stands.
    private static let dashed = [4, 6, 8, 10]

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
