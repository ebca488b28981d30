import Foundation

extension PayloadText {
    /// A way to read a payload, for who looks for secrets in it.
    enum Reading {
        /// As the bytes are: in UTF-8, or in another encoding that has ASCII where UTF-8 has it, as most have.
        case asIs

        /// In an encoding that has to be changed to UTF-8.
        case encoded(String.Encoding)
    }

    /// All ways in which a payload can be read; none if it is no text.
    ///
    /// The encoding that its type names is not always that of the payload.
    static func readings(of payload: ArraySlice<UInt8>, _ mediaType: MediaType?) -> [Reading] {
        if let wide = Charset.wideEncoding(of: payload), isText(payload, in: wide) { return [.encoded(wide)] }
        // ASCII needs no validation, which takes long for each of many small parts.
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
