import Foundation

/// A value that performs the operations of containers on JSON of any kind, and records all of their outcomes.
struct JSONProbe: Decodable, CustomStringConvertible {
    private(set) var description = ""

    /// Any name.
    struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// The depth from which no more containers are opened, and the number of members that are visited.
    private static let (maximumDepth, maximumMembers) = (4, 6)

    init(from decoder: any Decoder) throws {
        record("path \(decoder.codingPath.map(\.stringValue)) \(decoder.userInfo.count)")
        single(JSONOutcome { try decoder.singleValueContainer() }.isValue ? try decoder.singleValueContainer() : nil)
        guard decoder.codingPath.count < Self.maximumDepth else { return }
        do {
            try keyed(decoder.container(keyedBy: Name.self))
        } catch {
            record("\(JSONOutcome { throw error })")
        }
        do {
            var container = try decoder.unkeyedContainer()
            try unkeyed(&container)
        } catch {
            record("\(JSONOutcome { throw error })")
        }
    }

    private mutating func record(_ text: String) { description += text + "\n" }

    private mutating func record<T>(_ decode: () throws -> T) { record("\(JSONOutcome(decode))") }

    private mutating func single(_ container: (any SingleValueDecodingContainer)?) {
        guard let container else { return record("no container") }
        record("nil \(container.decodeNil())")
        record { try container.decode(Bool.self) }
        record { try container.decode(String.self) }
        record { try container.decode(Double.self) }
        record { try container.decode(Float.self) }
        record { try container.decode(Int.self) }
        record { try container.decode(Int8.self) }
        record { try container.decode(Int16.self) }
        record { try container.decode(Int32.self) }
        record { try container.decode(Int64.self) }
        record { try container.decode(Int128.self) }
        record { try container.decode(UInt.self) }
        record { try container.decode(UInt8.self) }
        record { try container.decode(UInt16.self) }
        record { try container.decode(UInt32.self) }
        record { try container.decode(UInt64.self) }
        record { try container.decode(UInt128.self) }
        record { try container.decode(Date.self) }
        record { try container.decode(Data.self) }
        record { try container.decode(URL.self) }
        record { try container.decode(Decimal.self) }
        record { try container.decode([Int?].self) }
        record { try container.decode([String].self) }
        record { try container.decode([Double].self) }
    }

    private mutating func keyed(_ container: KeyedDecodingContainer<Name>) throws {
        let names = container.allKeys.map(\.stringValue)
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        record("names \(names) \(container.codingPath.count)")
        let some = Array(names.prefix(Self.maximumMembers))
        for (place, name) in (some + some.reversed() + ["absent", "\u{212A}", "e\u{301}", "a"]).enumerated() {
            let key = Name(stringValue: name)
            record("\(name) \(container.contains(key))")
            switch place % 5 {
            case 0: record { try container.decode(JSONProbe.self, forKey: key) }
            case 1: record { try container.decodeIfPresent(JSONProbe.self, forKey: key) }
            case 2: record { try JSONProbe(from: container.superDecoder(forKey: key)) }
            default: break
            }
            record { try container.decodeNil(forKey: key) }
            record { try container.decode(Bool.self, forKey: key) }
            record { try container.decode(String.self, forKey: key) }
            record { try container.decode(Double.self, forKey: key) }
            record { try container.decode(Float.self, forKey: key) }
            record { try container.decode(Int.self, forKey: key) }
            record { try container.decode(Int8.self, forKey: key) }
            record { try container.decode(Int16.self, forKey: key) }
            record { try container.decode(Int32.self, forKey: key) }
            record { try container.decode(Int64.self, forKey: key) }
            record { try container.decode(Int128.self, forKey: key) }
            record { try container.decode(UInt.self, forKey: key) }
            record { try container.decode(UInt8.self, forKey: key) }
            record { try container.decode(UInt16.self, forKey: key) }
            record { try container.decode(UInt32.self, forKey: key) }
            record { try container.decode(UInt64.self, forKey: key) }
            record { try container.decode(UInt128.self, forKey: key) }
            record { try container.decode(Date.self, forKey: key) }
            record { try container.decode([Int].self, forKey: key) }
            record { try container.decodeIfPresent(Bool.self, forKey: key) }
            record { try container.decodeIfPresent(String.self, forKey: key) }
            record { try container.decodeIfPresent(Double.self, forKey: key) }
            record { try container.decodeIfPresent(Float.self, forKey: key) }
            record { try container.decodeIfPresent(Int.self, forKey: key) }
            record { try container.decodeIfPresent(Int8.self, forKey: key) }
            record { try container.decodeIfPresent(Int16.self, forKey: key) }
            record { try container.decodeIfPresent(Int32.self, forKey: key) }
            record { try container.decodeIfPresent(Int64.self, forKey: key) }
            record { try container.decodeIfPresent(UInt.self, forKey: key) }
            record { try container.decodeIfPresent(UInt8.self, forKey: key) }
            record { try container.decodeIfPresent(UInt16.self, forKey: key) }
            record { try container.decodeIfPresent(UInt32.self, forKey: key) }
            record { try container.decodeIfPresent(UInt64.self, forKey: key) }
            record { try container.decodeIfPresent(UInt128.self, forKey: key) }
            record { try container.decodeIfPresent(URL.self, forKey: key) }
            record { try container.nestedContainer(keyedBy: Name.self, forKey: key).allKeys.count }
            record { try container.nestedUnkeyedContainer(forKey: key).count }
        }
        record { try JSONProbe(from: container.superDecoder()) }
    }

    private mutating func unkeyed(_ container: inout any UnkeyedDecodingContainer) throws {
        record("count \(container.count ?? -1) \(container.codingPath.count)")
        var step = Self.firstOperation
        while !container.isAtEnd, step < 200 {
            try one(&container, step)
            step += 1
        }
        for step in 0..<Self.operations { try one(&container, step) }
        record("index \(container.currentIndex) \(container.isAtEnd)")
    }

    /// The number of operations of a container of elements, and the one that begins with the first element.
    static let operations = 34
    @TaskLocal static var firstOperation = 0

    private mutating func one(_ container: inout any UnkeyedDecodingContainer, _ step: Int) throws {
        record("index \(container.currentIndex) \(container.isAtEnd)")
        switch step % Self.operations {
        case 0: record { try container.decodeNil() }
        case 1: record { try container.decode(Bool.self) }
        case 2: record { try container.decode(String.self) }
        case 3: record { try container.decode(Int.self) }
        case 4: record { try container.decode(Double.self) }
        case 5: record { try container.decodeIfPresent(Int8.self) }
        case 6: record { try container.decodeIfPresent(Bool.self) }
        case 7: record { try container.decodeIfPresent(String.self) }
        case 8: record { try container.decodeIfPresent(Double.self) }
        case 9: record { try container.decodeIfPresent(Int128.self) }
        case 10: record { try container.decodeIfPresent(UInt128.self) }
        case 11: record { try container.decode(JSONProbe.self) }
        case 12: record { try container.decodeIfPresent(JSONProbe.self) }
        case 13: record { try container.nestedContainer(keyedBy: Name.self).allKeys.count }
        case 14: record { try container.nestedUnkeyedContainer().count }
        case 15: record { try JSONProbe(from: container.superDecoder()) }
        case 16: record { try container.decode(Date.self) }
        case 17: record { try container.decodeIfPresent(URL.self) }
        case 18: record { try container.decode(UInt128.self) }
        case 19: record { try container.decodeIfPresent(Float.self) }
        case 20: record { try container.decode(Decimal.self) }
        case 21: record { try container.decode(Float.self) }
        case 22: record { try container.decode(UInt8.self) }
        case 23: record { try container.decode(Int128.self) }
        case 24: record { try container.decodeIfPresent(Int.self) }
        case 25: record { try container.decodeIfPresent(Int16.self) }
        case 26: record { try container.decodeIfPresent(Int32.self) }
        case 27: record { try container.decodeIfPresent(Int64.self) }
        case 28: record { try container.decodeIfPresent(UInt.self) }
        case 29: record { try container.decodeIfPresent(UInt8.self) }
        case 30: record { try container.decodeIfPresent(UInt16.self) }
        case 31: record { try container.decodeIfPresent(UInt32.self) }
        case 32: record { try container.decodeIfPresent(UInt64.self) }
        default: record { try container.decodeIfPresent([String].self) }
        }
    }
}
