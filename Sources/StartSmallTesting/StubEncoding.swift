import Foundation
import StartSmall

/// The search for the JSON that an endpoint reads a value from.
extension Endpoint {
    /// Encoders of the forms in which APIs write names and dates, the plain one first.
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

    /// Whether two values are equal, as they say themselves; nil if they can't say.
    static func isEqual(_ left: Value, _ right: Value) -> Bool? {
        func isEqual<Other: Equatable>(_ right: Other) -> Bool { left as? Other == right }
        return (right as? any Equatable).map { isEqual($0) }
    }

    /// Whether one encoder writes two values alike: also what `==` leaves out, and what has no `==`.
    ///
    /// Sets are written in any order, and a date that was read may be a little off, so it is rounded.
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
