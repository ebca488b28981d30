import StartSmallFoundation

struct JSONDecodingOptions {
    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floats: JSONDecoder.NonConformingFloatDecodingStrategy
    let names: JSONNameConversion?
    let userInfo: [CodingUserInfoKey: Any]

    /// Reads the options of a decoder; nil if one of them is known to Foundation only.
    init?(_ decoder: JSONDecoder) {
        // No option is set before all are known: an incomplete value would be copied.
        let userInfo = decoder.userInfo
        guard userInfo.isEmpty || !decoder.assumesTopLevelDictionary else { return nil }
        let dates = decoder.dateDecodingStrategy
        let data = decoder.dataDecodingStrategy
        let floats = decoder.nonConformingFloatDecodingStrategy
        guard dates.isKnown, data.isKnown, floats.isKnown else { return nil }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: names = nil
        case .convertFromSnakeCase: names = JSONNameConversion(custom: nil)
        case .custom(let convert): names = JSONNameConversion(custom: convert)
        @unknown default: return nil
        }
        (self.dates, self.data, self.floats) = (dates, data, floats)
        // Converting an empty dictionary takes time, too.
        self.userInfo = userInfo.isEmpty ? [:] : userInfo.mapValues { $0 }
    }
}

// Not switches: on Apple platforms, there is one more strategy for dates (`.formatted`), and there may be others.

extension JSONDecoder.DateDecodingStrategy {
    fileprivate var isKnown: Bool {
        if case .deferredToDate = self { return true }
        if case .secondsSince1970 = self { return true }
        if case .millisecondsSince1970 = self { return true }
        if case .iso8601 = self { return true }
        return if case .custom = self { true } else { false }
    }
}

extension JSONDecoder.DataDecodingStrategy {
    fileprivate var isKnown: Bool {
        if case .deferredToData = self { return true }
        if case .base64 = self { return true }
        return if case .custom = self { true } else { false }
    }
}

extension JSONDecoder.NonConformingFloatDecodingStrategy {
    fileprivate var isKnown: Bool {
        if case .throw = self { return true }
        return if case .convertFromString = self { true } else { false }
    }
}
