import StartSmallFoundation

/// Conversions of the encodings that FoundationEssentials lacks.
extension Charset {
    #if ICONV
        /// Returns the bytes that the C library makes of a text; nil for a character that it can't convert.
        static func systemData(_ text: String, _ encoding: String.Encoding) throws(MissingTable) -> Data? {
            try converted(Data(text.utf8), encoding, isCut: false) { iconv_open($0, "UTF-8") }.map { Data($0) }
        }

        /// Returns the text that the C library makes of bytes; nil if they are invalid.
        static func systemText(
            _ data: Data,
            _ encoding: String.Encoding,
            isCut: Bool
        ) throws(MissingTable) -> String? {
            let bytes = try converted(data, encoding, isCut: isCut) { iconv_open("UTF-8", $0) }
            let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
            // glibc reads rows 85 to 94 as private characters, browsers some of them as characters of IBM (WHATWG Encoding,
            // index of JIS X 0208).
            let hasPrivate = text?.unicodeScalars.contains(where: privateUse.contains) == true
            if encoding == .japaneseEUC, hasPrivate { return nil }
            return text
        }

        /// The private use area of the basic plane (Unicode 23.5).
        private static let privateUse: ClosedRange<Unicode.Scalar> = "\u{E000}"..."\u{F8FF}"

        private static func converted(
            _ bytes: Data,
            _ encoding: String.Encoding,
            isCut: Bool,
            open: (String) -> iconv_t?
        ) throws(MissingTable) -> [UInt8]? {
            for name in [windowsNames[encoding], name(encoding)].compactMap(\.self) {
                guard let converter = open(name), converter != iconv_t(bitPattern: -1) else { continue }
                defer { iconv_close(converter) }
                return bytes.withUnsafeBytes { converted($0, by: converter, isCut: isCut) }
            }
            throw MissingTable(encoding: encoding)
        }

        /// Converts all bytes; nil if some are invalid, or if the last character is incomplete and `isCut` is false.
        private static func converted(
            _ bytes: UnsafeRawBufferPointer,
            by converter: iconv_t,
            isCut: Bool
        ) -> [UInt8]? {
            var input = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            var (length, output, isAtEnd) = (bytes.count, [UInt8](), false)
            output.reserveCapacity(bytes.count)
            return withUnsafeTemporaryAllocation(of: CChar.self, capacity: chunkLength) { chunk in
                while true {
                    var (end, room) = (chunk.baseAddress, chunk.count)
                    // Without input, the converter ends its output, as by the escape sequence of ASCII.
                    let count =
                        isAtEnd
                        ? iconv(converter, nil, nil, &end, &room) : iconv(converter, &input, &length, &end, &room)
                    let error = errno
                    output += UnsafeRawBufferPointer(chunk).prefix(chunk.count - room)
                    switch (count, error) {
                    case (0..., _) where isAtEnd: return output
                    case (0..., _): isAtEnd = true
                    case (_, E2BIG) where room < chunk.count: break
                    case (_, EINVAL) where isCut && !isAtEnd: isAtEnd = true
                    default: return nil
                    }
                }
            }
        }

        /// The number of bytes that are converted at once: many times the longest character.
        private static let chunkLength = 8192

        /// The names of the supersets that Windows uses, where the charset's own name is the strict form, or unknown.
        private static let windowsNames: [String.Encoding: String] = [
            .shiftJIS: "CP932", .japaneseEUC: "EUC-JP-MS", .windows949: "CP949",
        ]
    #else
        /// Returns the bytes that Foundation makes of a text; nil if the encoding lacks one of the characters.
        ///
        /// If an encoding with characters of several bytes lacks an invisible character, such as U+034F, the Core
        /// Foundation of swift-corelibs-foundation ends the process.
        static func systemData(_ text: String, _ encoding: String.Encoding) throws(MissingTable) -> Data? {
            let multibyteEncodings: [String.Encoding] = [
                .shiftJIS, .japaneseEUC, .iso2022JP, .gbk, .big5, .windows949,
            ]
            let hasHidden = text.unicodeScalars.contains { !$0.isASCII && $0.properties.isDefaultIgnorableCodePoint }
            return hasHidden && multibyteEncodings.contains(encoding) ? nil : text.data(using: encoding)
        }

        /// Returns the text that Foundation makes of bytes; nil if they are invalid.
        static func systemText(
            _ data: Data,
            _ encoding: String.Encoding,
            isCut: Bool
        ) throws(MissingTable) -> String? {
            String(data: data, encoding: encoding)
        }
    #endif
}
