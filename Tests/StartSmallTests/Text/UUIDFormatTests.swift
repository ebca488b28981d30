import Foundation
import Testing

@testable import StartSmall

struct UUIDFormatTests {
    @Test("the text is Foundation's UUID string in lower case", arguments: 0..<100)
    func text(_ round: Int) {
        let uuid = UUID()
        #expect(UUIDFormat.text(of: uuid) == uuid.uuidString.lowercased())
    }

    @Test("version and variant have their positions for any random numbers", arguments: [0, .max] as [UInt64])
    func version(_ number: UInt64) {
        let digit = number == 0 ? "0" : "f"
        func digits(_ count: Int) -> String { String(repeating: digit, count: count) }
        let variant = number == 0 ? "8" : "b"
        #expect(
            UUIDFormat.text(of: UUIDFormat.random { number })
                == "\(digits(8))-\(digits(4))-4\(digits(3))-\(variant)\(digits(3))-\(digits(12))"
        )
    }

    @Test("the random numbers are used in the order in which they are generated")
    func order() {
        var numbers: [UInt64] = [0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF]
        let uuid = UUIDFormat.random { numbers.removeFirst() }
        #expect(UUIDFormat.text(of: uuid) == "00112233-4455-4677-8899-aabbccddeeff")
    }

    @Test("10,000 random UUIDs are all different")
    func unique() {
        #expect(Set((0..<10_000).map { _ in UUIDFormat.random() }).count == 10_000)
    }
}
