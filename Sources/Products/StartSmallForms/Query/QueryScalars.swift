import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

extension QueryEncoder {
    /// Returns the text of a scalar value; nil for a value that consists of other values.
    func text(of value: some Encodable, at path: [any CodingKey]) throws(Failure) -> String? {
        switch value {
        case let text as String: return text
        case let bool as Bool: return booleans == .words ? "\(bool)" : bool ? "1" : "0"
        case let date as Date: return try point(date, at: path)
        case let data as Data: return data.base64EncodedString()
        case let url as URL: return url.absoluteString
        case let uuid as UUID: return uuid.uuidString
        case let number as Decimal where number.isNaN: throw Self.notFinite(path)
        case let number as Decimal: return "\(number)"
        case let number as Double: return try Self.number(number, at: path)
        case let number as Float: return try Self.number(number, at: path)
        case let number as any FixedWidthInteger: return "\(number)"
        default: return nil
        }
    }

    private func point(_ date: Date, at path: [any CodingKey]) throws(Failure) -> String {
        let seconds = date.timeIntervalSince1970
        guard Self.representable.contains(date) else {
            throw Failure(reason: "A date outside of the years 1583 to 9999.", path: path.place)
        }
        return switch dates {
        case .iso8601: date.formatted(.iso8601)
        case .seconds: try Self.number(seconds, at: path)
        case .milliseconds: try Self.number((seconds * 1000).rounded(), at: path)
        }
    }

    /// The dates that can be written.
    ///
    /// RFC 3339 5.6 has room up to the year 9999. Before 1583, Foundation uses another calendar than RFC 3339.
    private static let representable =
        Date(timeIntervalSince1970: -12_212_553_600)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// Returns the text of a number, without a fraction for a whole number, as in JSON.
    private static func number<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ number: Number,
        at path: [any CodingKey]
    ) throws(Failure) -> String {
        guard number.isFinite else { throw notFinite(path) }
        return Int64(exactly: number).map { "\($0)" } ?? number.description
    }

    private static func notFinite(_ path: [any CodingKey]) -> Failure {
        Failure(reason: "A number that is not finite.", path: path.place)
    }
}
