import Foundation
import StartSmallForms
import StartSmallJSON
import StartSmallModels
import Testing

/// The decoders that models must work with.
enum ModelDecoder: CaseIterable, Sendable {
    case foundation
    case fast

    func decode<T: Decodable>(
        _ type: T.Type,
        _ json: String,
        dates: JSONDecoder.DateDecodingStrategy = .deferredToDate,
        keys: JSONDecoder.KeyDecodingStrategy = .useDefaultKeys
    ) throws -> T {
        let decoder = self == .fast ? JSONDecoder.fast : JSONDecoder()
        (decoder.dateDecodingStrategy, decoder.keyDecodingStrategy) = (dates, keys)
        return try decoder.decode(type, from: Data(json.utf8))
    }
}

/// Returns the JSON of a value, with sorted keys.
func json(_ value: some Encodable, keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys) throws -> String {
    let encoder = JSONEncoder()
    (encoder.outputFormatting, encoder.keyEncodingStrategy) = ([.sortedKeys, .withoutEscapingSlashes], keys)
    encoder.dateEncodingStrategy = .rfc3339
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Returns the items of a value in a query or a form, as `name=value`.
func query(_ value: some Encodable, _ encoder: QueryEncoder = QueryEncoder()) throws -> [String] {
    try encoder.items(of: value).map { "\($0.name)=\($0.value ?? "")" }
}

/// The path at which an error of coding is; nil for another error, or none.
func path(of body: () throws -> some Any) -> [String]? {
    do {
        _ = try body()
        return nil
    } catch DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context) {
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    } catch EncodingError.invalidValue(_, let context) {
        return context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    } catch {
        return nil
    }
}
