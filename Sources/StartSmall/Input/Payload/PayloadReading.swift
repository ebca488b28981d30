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
    static func readings(of payload: Data, _ mediaType: MediaType?) -> [Reading] {
        if let wide = Charset.wideEncoding(of: payload), isText(payload, in: wide) { return [.encoded(wide)] }
        let named = [mediaType?.encoding].compactMap(\.self).filter { $0 != .utf8 && isText(payload, in: $0) }
        let readings = named.map(Reading.encoded)
        if String(validating: payload, as: UTF8.self) != nil { return [.asIs] + readings }
        return payload.contains(where: isControl) ? readings : readings + [.asIs]
    }

    private static func isText(_ payload: Data, in encoding: String.Encoding) -> Bool {
        String(data: payload, encoding: encoding)?.utf8.contains(where: isControl) == false
    }
}
