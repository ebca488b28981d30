import Foundation

@testable import StartSmallJSON

/// The result of decoding a text: a value or an error, as a text that shows all that an app can see of them.
struct JSONOutcome: Equatable, CustomStringConvertible {
    let description: String
    let isValue: Bool

    init<T>(_ decode: () throws -> T) {
        do {
            let value = try decode()
            description = Self.text(of: value)
            isValue = true
        } catch {
            description = Self.text(ofError: error)
            isValue = false
        }
    }

    /// The outcome of `JSONDecoder`.
    static func foundation<T: Decodable>(_ type: T.Type, _ data: Data, _ decoder: JSONDecoder) -> JSONOutcome {
        JSONOutcome { try decoder.decode(type, from: data) }
    }

    /// The outcome of the kit's decoder with the options of another one, with the error of Foundation for a number that its type can't hold.
    static func kit<T: Decodable>(_ type: T.Type, _ data: Data, _ decoder: JSONDecoder) -> JSONOutcome {
        JSONOutcome {
            do { return try decoder.fastValue(type, from: data) ?? decoder.decode(type, from: data) } catch let error
                where isOfNumber(error)
            {
                throw notJSON
            }
        }
    }

    /// Returns whether an error is that of a number, which only the kit names.
    private static func isOfNumber(_ error: any Error) -> Bool {
        guard case DecodingError.typeMismatch(_, let context) = error else { return false }
        return context.debugDescription.hasPrefix("The number ")
    }

    private static var notJSON: DecodingError {
        #if !os(Linux) || APPLE_BRANCH
            let underlying: (any Error)? = CocoaError(.propertyListReadCorrupt)
        #else
            let underlying: (any Error)? = nil
        #endif
        let text = "The given data was not valid JSON."
        return .dataCorrupted(.init(codingPath: [], debugDescription: text, underlyingError: underlying))
    }

    /// Returns a text that differs for values with different bits.
    private static func text<T>(of value: T) -> String {
        switch value {
        case let number as Double: "\(number) \(number.bitPattern)"
        case let number as Float: "\(number) \(number.bitPattern)"
        case let numbers as [Double]: numbers.map { text(of: $0) }.joined(separator: " ")
        case let numbers as [Float]: numbers.map { text(of: $0) }.joined(separator: " ")
        case let number as Decimal: "\(number) \(withUnsafeBytes(of: number) { Array($0) })"
        case let text as String: "\(Array(text.utf8))"
        case let date as Date: "\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case let data as Data: "\(Array(data))"
        default: "\(value)"
        }
    }

    private static func text(ofError error: any Error) -> String {
        guard let error = error as? DecodingError, !isOfNumber(error) else { return "an error of the decoder" }
        switch error {
        case .typeMismatch(let type, let context): return "typeMismatch \(type): \(text(of: context))"
        case .valueNotFound(let type, let context): return "valueNotFound \(type): \(text(of: context))"
        case .keyNotFound(let key, let context): return "keyNotFound \(key): \(text(of: context))"
        case .dataCorrupted(let context): return "dataCorrupted: \(text(of: context))"
        @unknown default: return "\(error)"
        }
    }

    private static func text(of context: DecodingError.Context) -> String {
        let path = context.codingPath.map { "\($0.stringValue)(\($0.intValue.map(String.init) ?? ""))" }
        return "[\(path.joined(separator: ", "))] \(context.debugDescription) \(context.underlyingError != nil)"
    }
}
