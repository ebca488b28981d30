import Foundation
import StartSmall

/// The selection of JSON from which an endpoint decodes a value.
extension Endpoint {
    /// Encoders for the usual formats of names and dates in APIs, the plain one first.
    static var usualEncoders: [JSONEncoder] {
        let keys: [JSONEncoder.KeyEncodingStrategy] = [.useDefaultKeys, .convertToSnakeCase]
        let dates: [JSONEncoder.DateEncodingStrategy] = [
            .deferredToDate, .iso8601, .secondsSince1970, .millisecondsSince1970,
        ]
        return keys.flatMap { keys in
            dates.map { dates in
                let encoder = JSONEncoder()
                (encoder.keyEncodingStrategy, encoder.dateEncodingStrategy) = (keys, dates)
                return encoder
            }
        }
    }

    /// Returns whether two values are equal by `==`; nil if their type is not `Equatable`.
    static func isEqual(_ left: Value, _ right: Value) -> Bool? {
        func isEqual<Other: Equatable>(_ right: Other) -> Bool { left as? Other == right }
        return (right as? any Equatable).map { isEqual($0) }
    }

    /// Returns whether one encoder writes two values alike, including parts that `==` ignores and values without `==`.
    ///
    /// Dates are rounded, since a decoded date may be a little off. Sets are written in any order.
    static func isWrittenAlike(_ left: Value, _ right: Value) -> Bool where Value: Encodable {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode((date.timeIntervalSinceReferenceDate * 1_000).rounded())
        }
        guard let written = try? encoder.encode(left) else { return false }
        return written == (try? encoder.encode(right))
    }
}
