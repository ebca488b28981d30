import Foundation
import Testing

@testable import StartSmall

/// The error of `JSONDecoder.fast` for a number that its type can't hold: it names the path and the type, as for any other wrong value.
struct JSONNumberErrorTests {
    /// Each type with a number that it can't hold.
    private static var numbers: [(type: any Decodable.Type, number: String)] {
        [
            (Int.self, "123.45"), (Int.self, "9223372036854775808"), (Int8.self, "300"), (Int8.self, "-129"),
            (Int16.self, "32768"), (Int32.self, "-2147483649"), (Int64.self, "1e19"), (Int128.self, "1e40"),
            (UInt.self, "-1"), (UInt.self, "1.5"), (UInt8.self, "256"), (UInt16.self, "65536"), (UInt32.self, "-0.5"),
            (UInt64.self, "18446744073709551616"), (UInt128.self, "-1"), (Double.self, "1e400"), (Float.self, "1e39"),
            (Decimal.self, "1e400"),
        ]
    }

    private struct Items<Value: Decodable>: Decodable {
        struct Item: Decodable { let count: Value }

        let items: [Item]
    }

    private struct Optionals<Value: Decodable>: Decodable { let count: Value? }

    /// Returns the path and the type of the error of decoding a text.
    private static func place<T: Decodable>(_ type: T.Type, _ json: String) -> String {
        do {
            return "\(try JSONDecoder.fast.decode(type, from: Data(json.utf8)))"
        } catch DecodingError.typeMismatch(let type, let context) {
            return "\(context.codingPath.place) \(type)"
        } catch {
            return "\(error)"
        }
    }

    private static func expectPlaces<T: Decodable>(of type: T.Type, _ number: String) {
        #expect(place(type, number) == "/ \(type)")
        #expect(place([T].self, "[0,\(number)]") == "[1] \(type)")
        #expect(place([String: T].self, "{\"a\":\(number)}") == "a \(type)")
        #expect(place(Items<T>.self, "{\"items\":[{\"count\":0},{\"count\":\(number)}]}") == "items[1].count \(type)")
        #expect(place(Optionals<T>.self, "{\"count\":\(number)}") == "count \(type)")
        #expect(place([[T?]].self, "[[null,\(number)]]") == "[0][1] \(type)")
    }

    @Test("a number that does not fit has its path and its type, at any place")
    func places() {
        for (type, number) in Self.numbers { Self.expectPlaces(of: type, number) }
    }

    private enum Level: Int8, Decodable { case low = 1 }

    private enum Ratio: Double, Decodable { case half = 0.5 }

    @Test("a number that does not fit the raw value of an enumeration has its path and the type of the raw value")
    func rawValues() {
        #expect(Self.place([Level].self, "[1,300]") == "[1] Int8")
        #expect(Self.place([Ratio].self, "[0.5,1e400]") == "[1] Double")
    }

    @Test("a name that is no integer has its path in a dictionary with integers as names")
    func names() {
        #expect(Self.place([Int: Int].self, #"{"1":1,"1.5":2}"#) == "1.5 Int")
        #expect(Self.place([Int: Int8].self, #"{"1":300}"#) == "[1] Int8")
    }

    @Test("a time that does not fit has its path")
    func dates() {
        let decoder = JSONDecoder.fast
        decoder.dateDecodingStrategy = .secondsSince1970
        let error = #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data("[1e400]".utf8)) }
        #expect(error.map { DecodingError.text(of: $0) }?.hasPrefix("[0] is not a value of type Double: ") == true)
    }

    @Test("of a very long number, an error names the length alone")
    func long() {
        let number = String(repeating: "9", count: 100_000)
        let json = Data("[\(number)]".utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder.fast.decode([Int].self, from: json) }
        let text = error.map { DecodingError.text(of: $0) }
        #expect(text == "[0] is not a value of type Int: The number of 100000 characters does not fit.")
    }
}
