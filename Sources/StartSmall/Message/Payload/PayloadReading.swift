import Foundation

extension PayloadText {
    /// One way to read a payload as text, for a search for secrets in it.
    enum Reading {
        /// Unchanged bytes: UTF-8, or another encoding with ASCII in the same places, as most have.
        case asIs

        /// An encoding that must be converted to UTF-8.
        case encoded(String.Encoding)
    }

    /// Returns all ways in which a payload can be read as text; none if it is not text.
    ///
    /// The encoding that its media type names is not always the actual encoding.
    static func readings(of payload: ArraySlice<UInt8>, _ mediaType: MediaType?) -> [Reading] {
        if let wide = Charset.wideEncoding(of: payload), isText(payload, in: wide) { return [.encoded(wide)] }
        // ASCII needs no validation, which is slow for each of many small parts.
        let isUTF8 = payload.allSatisfy { $0 < 0x80 } || String(validating: payload, as: UTF8.self) != nil
        var readings: [Reading] = isUTF8 ? [.asIs] : []
        if let named = mediaType?.encoding, named != .utf8, isText(payload, in: named) {
            readings.append(.encoded(named))
        }
        if !isUTF8, !payload.contains(where: isControl) { readings.append(.asIs) }
        return readings
    }

    private static func isText(_ payload: ArraySlice<UInt8>, in encoding: String.Encoding) -> Bool {
        Charset.text(Data(payload), in: encoding, isCut: true)?.utf8.contains(where: isControl) == false
    }
}
