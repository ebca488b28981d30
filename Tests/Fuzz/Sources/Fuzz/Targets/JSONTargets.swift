import Foundation

@testable import StartSmall
@testable import StartSmallCore
@testable import StartSmallJSON
@testable import StartSmallSupport

extension Target {
    /// The fast decoder of JSON, compared with `JSONDecoder`: values, errors, coding paths and texts.
    static let json: [Target] = [jsonDecoder]

    private static let jsonDecoder = Target(
        name: "json-decoder",
        words: [
            "{", "}", "[", "]", "\"a\"", "\"a\":", "\"b\":", "\"user_name\":", "\"\\u0061\":", "\"é\":",
            "\"e\u{301}\":",
            "\"\u{212A}\":", "\"_a_b__c_\":", "\"super\":", ",", ":", "1", "-0", "1.5", "-0.0", "0e1", "0.00e1", "1e2",
            "1e-400", "1e400", "255", "9007199254740993.0", "9223372036854775807", "-9223372036854775809",
            "18446744073709551616", "184467440737095516160e1", "0.30000000000000004", "3.5e38", "true", "false", "null",
            "\"NaN\"", "\"AQID\"", "\"2026-11-23T10:00:00Z\"", "\"https://a.example/b\"", "\\ud83d\\ude00", "\\ud83d",
            "日本", "\\n", "{\"a\":1,\"b\":[1,2,null]}", "[1,\"a\",null,{}],",
        ],
        starts: ["\"", "{\"a\":", "[", "{\"a", "[{\"a\":1},", "{\"a•\":1}", "{\"a•\":1,}"],
        read: { bytes in
            let data = Data(bytes)
            for decoder in decoders {
                _ = try? decoder.fastValue([Int?].self, from: data)
                _ = try? decoder.fastValue([String: Int].self, from: data)
                _ = try? decoder.fastValue(Member.self, from: data)
            }
            _ = try? JSONDecoder.fast.decode(JSONValue.self, from: data)
            _ = try? JSONDecoder().value([String: Int].self, from: data)
        },
        check: { bytes in
            let data = Data(bytes)
            let hasLongRun = CombiningMarks.hasLongRun(json: String(decoding: bytes, as: UTF8.self))
            guard (try? JSONTape(data)) != nil else {
                if !hasLongRun { for decoder in decoders { try compare([String: Int?].self, data, decoder) } }
                return false
            }
            // Foundation has no limit of marks.
            guard !hasLongRun else { return true }
            for decoder in decoders {
                try compare(JSONProbe.self, data, decoder)
                try compare([Double].self, data, decoder)
                try compare([Float].self, data, decoder)
                try compare([Int8?].self, data, decoder)
                try compare([String].self, data, decoder)
                try compare([Decimal].self, data, decoder)
                try compare([UInt128].self, data, decoder)
                try compare([URL].self, data, decoder)
                try compare([Data].self, data, decoder)
                try compare([Date].self, data, decoder)
                try compareValues([String: [String: Int]].self, data, decoder)
                try compareValues([String: JSONValue].self, data, decoder)
            }
            return true
        },
        mostMilliseconds: 1_000
    )

    /// A type with one of the members.
    private struct Member: Decodable {
        let a: Int?
    }

    private static func compare<T: Decodable>(_ type: T.Type, _ data: Data, _ decoder: JSONDecoder) throws {
        let foundation = JSONOutcome.foundation(type, data, decoder)
        try promise("\(type) is decoded as by JSONDecoder", .kit(type, data, decoder) == foundation)
    }

    /// Compares values without an order: of several errors of a dictionary, Foundation throws any.
    private static func compareValues<T: Decodable & Equatable>(
        _ type: T.Type,
        _ data: Data,
        _ decoder: JSONDecoder
    ) throws {
        let foundation = try? decoder.decode(type, from: data)
        let kit = try? decoder.fastValue(type, from: data) ?? decoder.decode(type, from: data)
        try promise("\(type) is decoded as by JSONDecoder", foundation == kit)
    }

    private static var decoders: [JSONDecoder] {
        let (converting, custom) = (JSONDecoder(), JSONDecoder())
        converting.keyDecodingStrategy = .convertFromSnakeCase
        converting.dateDecodingStrategy = .iso8601
        converting.dataDecodingStrategy = .deferredToData
        converting.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "a",
            negativeInfinity: "",
            nan: "NaN"
        )
        custom.keyDecodingStrategy = .custom { JSONProbe.Name(stringValue: $0.map(\.stringValue).joined()) }
        custom.dateDecodingStrategy = .millisecondsSince1970
        custom.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) }
        return [JSONDecoder(), converting, custom]
    }
}
