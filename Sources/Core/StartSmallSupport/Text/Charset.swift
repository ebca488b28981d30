package import StartSmallFoundation

/// The charsets that Web APIs use, by their names in `Content-Type` (IANA registry of character sets).
package enum Charset {
    /// Returns the encoding for a name in any case; nil for an unsupported name.
    package static func encoding(_ name: String) -> String.Encoding? {
        // Supported names are ASCII, and a name from outside can contain hostile characters; see `ByteEqualString`.
        guard !name.hasByte(where: { $0 >= 0x80 }) else { return nil }
        let name = name.lowercased()
        return names.first { $0.1.contains(name) }?.0
    }

    /// Returns the preferred name of an encoding; nil for an unsupported encoding.
    package static func name(_ encoding: String.Encoding) -> String? {
        names.first { $0.0 == encoding }?.1.first
    }

    /// All supported encodings.
    package static var encodings: [String.Encoding] { names.map(\.0) }

    /// Returns the bytes of a text in an encoding; nil if the encoding lacks one of the characters.
    ///
    /// The bytes are decoded again, as converters drop invisible characters and replace similar ones: `¥` by `\`.
    package static func data(_ text: String, in encoding: String.Encoding) throws(MissingTable) -> Data? {
        if foundationEncodings.contains(encoding) { return text.data(using: encoding) }
        guard let data = try systemData(text, encoding), let copy = try systemText(data, encoding, isCut: false) else {
            return nil
        }
        // Of windows-1255 and windows-1258, marks are composed. Comparing many in a row takes minutes.
        return copy.isSame(as: text) || !CombiningMarks.hasLongRun(text) && copy == text ? data : nil
    }

    /// Returns the text of bytes in an encoding; nil if the bytes are invalid in the encoding.
    ///
    /// - Parameter isCut: whether an incomplete unit at the end is dropped, and not an error; so is an incomplete
    ///   character of an encoding that the C library converts.
    package static func text(
        _ data: Data,
        in encoding: String.Encoding,
        isCut: Bool = false
    ) throws(MissingTable) -> String? {
        guard foundationEncodings.contains(encoding) else { return try systemText(data, encoding, isCut: isCut) }
        // Foundation drops an incomplete unit without an error.
        if !isCut, !data.count.isMultiple(of: unitSize(of: encoding)) { return nil }
        return String(data: data, encoding: encoding)
    }

    /// An encoding that this system can't convert.
    package struct MissingTable: Error, CustomStringConvertible {
        let encoding: String.Encoding

        package var description: String {
            let name = Charset.name(encoding) ?? "\(encoding)"
            return "the C library has no table for \(name): a slim image lacks the gconv modules of glibc; musl has few"
        }
    }

    /// Returns the number of bytes of a unit.
    private static func unitSize(of encoding: String.Encoding) -> Int {
        switch encoding {
        case .utf16, .utf16BigEndian, .utf16LittleEndian: 2
        case .utf32, .utf32BigEndian, .utf32LittleEndian: 4
        default: 1
        }
    }

    /// The encodings that FoundationEssentials converts; its Mac Roman is wrong for all but ASCII (Swift 6.2).
    private static let foundationEncodings: [String.Encoding] = [
        .utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian, .ascii,
        .isoLatin1,
    ]

    /// Detects UTF-16 or UTF-32 from the first bytes of a payload.
    ///
    /// The first bytes are a byte order mark (RFC 2781 4.3), or contain the zero bytes of two ASCII characters (RFC
    /// 4627 3).
    package static func wideEncoding(of payload: Data) -> String.Encoding? {
        guard payload.prefix(4).contains(where: { $0 == 0 || $0 >= 0xFE }) else { return nil }
        let bytes = Array(payload.prefix(4))
        if bytes == [0xFF, 0xFE, 0, 0] { return .utf32LittleEndian }
        if bytes == [0, 0, 0xFE, 0xFF] { return .utf32BigEndian }
        if bytes.starts(with: [0xFF, 0xFE]) { return .utf16LittleEndian }
        if bytes.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return switch bytes.map({ $0 == 0 }) {
        case [false, true, true, true]: .utf32LittleEndian
        case [true, true, true, false]: .utf32BigEndian
        case [false, true, false, true]: .utf16LittleEndian
        case [true, false, true, false]: .utf16BigEndian
        default: nil
        }
    }

    /// The names of each encoding: the preferred one first, then aliases.
    private static let names = labels.map { ($0.key, $0.value.split(separator: " ").map(String.init)) }

    /// The names of each encoding, separated by spaces: the labels of the WHATWG Encoding standard (4.2), and others.
    ///
    /// `iso-8859-1` and `us-ascii` are themselves, not Windows-1252 as in browsers. `shift_jis` and `euc-kr` are the
    /// supersets that Windows uses: Foundation supports only the superset of the former, and drops bytes in the strict
    /// form of the latter. `gb2312`, `ks_c_5601-1987` and `iso-8859-9` are the supersets that browsers use. `utf-16` is
    /// not little-endian without a byte order mark (RFC 2781 4.3). Not supported are `big5-hkscs`, which has more
    /// characters than the platform's Big5, and what is no charset for a text: `replacement`, which stands for six
    /// charsets that browsers refuse for their security, and `x-user-defined`.
    private static let labels: KeyValuePairs<String.Encoding, String> = [
        .utf8: "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8",
        .ascii: "us-ascii ascii ansi_x3.4-1968",
        .isoLatin1: """
        iso-8859-1 latin1 iso8859-1 latin-1 cp819 csisolatin1 ibm819 iso-ir-100 iso88591 iso_8859-1 \
        iso_8859-1:1987 l1
        """,
        .isoLatin2: """
        iso-8859-2 latin2 iso8859-2 csisolatin2 iso-ir-101 iso88592 iso_8859-2 iso_8859-2:1987 l2
        """,
        .windowsCP1250: "windows-1250 cp1250 x-cp1250", .windowsCP1251: "windows-1251 cp1251 x-cp1251",
        .windowsCP1252: "windows-1252 cp1252 x-cp1252", .windowsCP1253: "windows-1253 cp1253 x-cp1253",
        .windowsCP1254: """
        windows-1254 cp1254 iso-8859-9 csisolatin5 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 \
        latin5 x-cp1254
        """,
        .macOSRoman: "macintosh csmacintosh mac x-mac-roman",
        .windowsCP1255: "windows-1255 cp1255 x-cp1255", .windowsCP1256: "windows-1256 cp1256 x-cp1256",
        .windowsCP1257: "windows-1257 cp1257 x-cp1257", .windowsCP1258: "windows-1258 cp1258 x-cp1258",
        .isoLatin9: "iso-8859-15 latin9 iso8859-15 csisolatin9 iso885915 iso_8859-15 l9",
        .koi8R: "koi8-r cskoi8r koi koi8 koi8_r", .koi8U: "koi8-u koi8-ru",
        .gbk: "gbk cp936 ms936 gb2312 chinese csgb2312 csiso58gb231280 gb_2312 gb_2312-80 iso-ir-58 x-gbk",
        .gb18030: "gb18030", .big5: "big5 cn-big5 csbig5 x-x-big5",
        .windows949: """
        euc-kr windows-949 ks_c_5601-1987 cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1989 ksc5601 ksc_5601
        """,
        .shiftJIS: "shift_jis sjis x-sjis windows-31j cp932 ms932 csshiftjis ms_kanji shift-jis",
        .japaneseEUC: "euc-jp x-euc-jp cseucpkdfmtjapanese", .iso2022JP: "iso-2022-jp csiso2022jp",
        .utf16: "utf-16", .utf16BigEndian: "utf-16be unicodefffe",
        .utf16LittleEndian: "utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff",
        .utf32: "utf-32", .utf32BigEndian: "utf-32be", .utf32LittleEndian: "utf-32le",
    ]
}

/// Encodings that Foundation supports without names for them: the encodings of Core Foundation, by their numbers.
extension String.Encoding {
    fileprivate static let windowsCP1255 = String.Encoding(rawValue: 0x8000_0505)
    fileprivate static let windowsCP1256 = String.Encoding(rawValue: 0x8000_0506)
    fileprivate static let windowsCP1257 = String.Encoding(rawValue: 0x8000_0507)
    fileprivate static let windowsCP1258 = String.Encoding(rawValue: 0x8000_0508)
    fileprivate static let isoLatin9 = String.Encoding(rawValue: 0x8000_020F)
    fileprivate static let koi8R = String.Encoding(rawValue: 0x8000_0A02)
    fileprivate static let koi8U = String.Encoding(rawValue: 0x8000_0A08)
    static let gbk = String.Encoding(rawValue: 0x8000_0421)
    fileprivate static let gb18030 = String.Encoding(rawValue: 0x8000_0632)
    static let big5 = String.Encoding(rawValue: 0x8000_0A03)
    static let windows949 = String.Encoding(rawValue: 0x8000_0422)
}
