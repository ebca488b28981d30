import Foundation

/// The options of a `JSONDecoder`.
struct JSONDecodingOptions {
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let names: JSONNameConversion?
    let userInfo: [CodingUserInfoKey: Any]

    /// Reads the options of a decoder; nil if one of them is known to Foundation only.
    init?(_ decoder: JSONDecoder) {
        // A subclass may do anything.
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5 else { return nil }
        let userInfo = decoder.userInfo
        guard userInfo.isEmpty || !decoder.assumesTopLevelDictionary else { return nil }
        // Converting an empty dictionary takes time, too.
        self.userInfo = userInfo.isEmpty ? [:] : userInfo.mapValues { $0 }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: names = nil
        case .convertFromSnakeCase: names = JSONNameConversion(custom: nil)
        case .custom(let convert): names = JSONNameConversion(custom: convert)
        #if canImport(Darwin)
            default: return nil
        #endif
        }
        dates = decoder.dateDecodingStrategy
        data = decoder.dataDecodingStrategy
        floats = decoder.nonConformingFloatDecodingStrategy
        #if canImport(Darwin)
            switch dates {
            case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: break
            default: return nil
            }
            switch data {
            case .deferredToData, .base64, .custom: break
            default: return nil
            }
            switch floats {
            case .throw, .convertFromString: break
            default: return nil
            }
        #endif
    }
}
