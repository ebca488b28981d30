import Foundation
import StartSmall
import StartSmallSupport
import StartSmallTesting
import TestSupport
import Testing

struct CharsetTests {
    @Test("the preferred name of each encoding maps back to it, and to no other one", arguments: Charset.encodings)
    func names(_ encoding: String.Encoding) throws {
        let name = try #require(Charset.name(encoding))
        #expect(Charset.encoding(name.uppercased()) == encoding)
    }

    @Test(
        "a payload is decoded by the charset name that the server sends",
        arguments: [
            ("windows-31j", [0x87, 0x40], "①"), ("CP932", [0xFB, 0xFC], "髙"), ("ms932", [0x5C], "\\"),
            ("gbk", [0xD6, 0xD0, 0x81, 0x40], "中丂"), ("gb18030", [0x81, 0x30, 0x84, 0x36], "¥"),
            ("Big5", [0xA4, 0xA4], "中"), ("euc-kr", [0xC7, 0xD1, 0x8C, 0x63], "한똠"), ("iso-8859-15", [0xA4], "€"),
            ("koi8-r", [0xC1], "а"), ("windows-1255", [0xE0], "א"), ("windows-1256", [0xC7], "ا"),
            ("windows-1257", [0xE0], "ą"), ("windows-1258", [0xD0], "Đ"),
            ("koi8-u", [0xA4, 0xA6, 0xA7, 0xAD], "єіїґ"), ("GB2312", [0xC4, 0xE3, 0xBA, 0xC3], "你好"),
            ("ks_c_5601-1987", [0xB0, 0xA1], "가"), ("iso-8859-9", [0xDD, 0xFE, 0x80], "İş€"),
            ("shift_jis", [0x5C, 0x7E, 0x81, 0x60, 0x81, 0x7C], "\\~～－"), ("macintosh", [0x8E, 0xDB, 0xD0], "é€–"),
            ("iso-8859-1", [0x80, 0xA0, 0xE9, 0xFF], "\u{80}\u{A0}éÿ"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
            ("iso-2022-jp", [0x61, 0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "a日"),
        ] as [(String, [UInt8], String)]
    )
    func read(_ name: String, _ bytes: [UInt8], _ text: String) throws {
        let encoding = try #require(Charset.encoding(name))
        #expect(try Charset.text(Data(bytes), in: encoding) == text)
        #expect(try Charset.data(text, in: encoding) == Data(bytes))
        let contentType: HTTPHeaders = ["Content-Type": "text/plain; charset=\(name)"]
        #expect(Response(statusCode: .ok, headers: contentType, payload: Data(bytes)).text() == .right(text))
    }

    @Test(
        "labels of the WHATWG Encoding standard are read, and meanings stay",
        arguments: [
            ("ISO_8859-1", "iso-8859-1"), ("ISO_8859-1:1987", "iso-8859-1"), ("latin-1", "iso-8859-1"),
            ("l1", "iso-8859-1"), ("cp819", "iso-8859-1"), ("ANSI_X3.4-1968", "us-ascii"), ("x-cp1252", "windows-1252"),
            ("latin5", "windows-1254"), ("unicode-1-1-utf-8", "utf-8"), ("x-mac-roman", "macintosh"),
            ("l9", "iso-8859-15"),
            ("koi", "koi8-r"), ("x-gbk", "gbk"), ("cn-big5", "big5"), ("korean", "euc-kr"), ("csShiftJIS", "shift_jis"),
            ("csISO2022JP", "iso-2022-jp"), ("unicode", "utf-16le"), ("unicodeFFFE", "utf-16be"), ("utf-16", "utf-16"),
        ]
    )
    func labels(_ label: String, _ name: String) throws {
        let encoding = try #require(Charset.encoding(label))
        #expect(Charset.name(encoding) == name)
    }

    @Test(
        "charsets that browsers refuse, and those of which the platform has another one, have no label",
        arguments: [
            "replacement", "csiso2022kr", "hz-gb-2312", "iso-2022-cn", "iso-2022-cn-ext", "iso-2022-kr",
            "x-user-defined", "big5-hkscs", "", " ", "utf-8 utf8", "utf-7", "l",
        ]
    )
    func noLabels(_ label: String) {
        #expect(Charset.encoding(label) == nil)
    }

    @Test(
        "a character that an encoding lacks is not dropped, and not replaced by a similar one",
        arguments: Charset.encodings
    )
    func lacking(_ encoding: String.Encoding) throws {
        let texts = [
            "\u{34F}", "a\u{200D}b", "\u{FE0F}日", "\u{E0001}", "\u{200E}", "\u{AD}", "¥", "‾", "〜", "−", "—", "¬",
            "\u{1B}", "\u{1B}$B!!\u{1B}(B", "\u{0}", "Å", "ế", "e\u{302}\u{301}", "e\u{301}", "😀", "\u{10FFFF}",
        ]
        for text in texts {
            if let data = try Charset.data(text, in: encoding) { #expect(try Charset.text(data, in: encoding) == text) }
            _ = Either.text(text, encoding: encoding)
        }
    }
}

struct CharsetTextTests {
    private func response(_ bytes: [UInt8], _ charset: String) -> Response {
        Response(statusCode: .ok, headers: ["Content-Type": "text/plain; charset=\(charset)"], payload: Data(bytes))
    }

    @Test(
        "EUC-JP is decoded and encoded",
        arguments: [
            ([0xA4, 0xA2], "あ"), ([0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC], "日本語"), ([0x61, 0x8E, 0xB1, 0x62], "aｱb"),
            ([0xC9, 0xBD], "表"), ([0xA5, 0xF6], "ヶ"), ([0xF4, 0xA6], "熙"), ([0xB0, 0xA1, 0xB0, 0xFE], "亜蔭"), ([], ""),
            ([0x8F, 0xB0, 0xA1, 0xAD, 0xA1], "丂①"), ([0xA1, 0xC1, 0xA1, 0xDD], "～－"),
        ]
    )
    func eucJP(bytes: [UInt8], text: String) throws {
        #expect(response(bytes, "EUC-JP").text(problem: Never.self).right == text)
        #expect(try Charset.data(text, in: .japaneseEUC) == Data(bytes))
    }

    @Test(
        "invalid bytes, and an incomplete character or unit at the end, are an error",
        arguments: [
            ("euc-jp", [0xA4]), ("euc-jp", [0x8E, 0x41]), ("euc-jp", [0x8F, 0xB0]), ("euc-jp", [0xA4, 0x41]),
            ("euc-jp", [0xFF, 0xA1]), ("euc-jp", [0xFC, 0xF5]),
            ("shift_jis", [0x61, 0x93]), ("gb18030", [0x81, 0x30, 0x84]),
            ("windows-1252", [0x81]), ("iso-2022-jp", [0x1B, 0x24]), ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46]),
            ("utf-16", [0xFE, 0xFF, 0, 0x41, 0]),
            ("utf-16be", [0, 0x41, 0]), ("utf-16le", [0x41, 0, 0x42]), ("utf-32", [0, 0, 0xFE, 0xFF, 0, 0]),
            ("utf-32be", [0, 0, 0, 0x41, 0, 0]), ("utf-32le", [0x41, 0, 0]),
        ]
    )
    func incomplete(charset: String, bytes: [UInt8]) {
        let response = response(bytes, charset)
        #expect(response.text() == .left(.malformedData(response, debugInfo: "not \(charset): \(bytes.count) bytes")))
    }

    @Test("a charset that the C library lacks is an error that says so", .enabled(if: convertsByCLibrary))
    func missingTable() {
        guard case .left(.malformedData(_, let reason)) = response([0x41], "x").text(encoding: .nextstep) else {
            Issue.record("not malformed")
            return
        }
        #expect(reason.hasPrefix("the C library has no table for "))
    }

    @Test("a text of any length is converted, and a cut character at its end dropped", .enabled(if: convertsByCLibrary))
    func longTexts() throws {
        for name in ["shift_jis", "iso-2022-jp", "gb18030", "windows-1258"] {
            let encoding = try #require(Charset.encoding(name))
            for length in [1, 4095, 4096, 4097, 8191, 8192, 8193, 100_000] {
                let text = String(repeating: "a", count: length - 1) + (name == "windows-1258" ? "đ" : "日")
                let data = try #require(try Charset.data(text, in: encoding))
                #expect(try Charset.text(data, in: encoding) == text)
                let isCut = try Charset.text(data.dropLast(name == "iso-2022-jp" ? 4 : 1), in: encoding, isCut: true)
                #expect(isCut?.utf8.count == length - 1)
            }
        }
    }
}

/// Laws of each encoding.
struct CharsetLawTests {
    @Test("each character that an encoding has is decoded from its bytes", arguments: Charset.encodings)
    func roundTrip(_ encoding: String.Encoding) throws {
        var count = 0
        for value in stride(from: UInt32(0), through: 0x2FFFF, by: isExhaustive ? 1 : 149) {
            guard let scalar = Unicode.Scalar(value), let text = try text(scalar, encoding)
            else { continue }
            #expect(text == "a\(scalar)b")
            count += 1
        }
        #expect(count > 0)
    }

    @Test("a text that is cut at any byte is a prefix of the whole, or an error", arguments: Charset.encodings)
    func cuts(_ encoding: String.Encoding) throws {
        let values = Array(stride(from: UInt32(0x20), to: 0x180, by: 17)) + stride(from: 0x370, to: 0xFFFF, by: 997)
        let characters = try values.compactMap(Unicode.Scalar.init).filter { try text($0, encoding) != nil }
        let whole = String(String.UnicodeScalarView(characters))
        let data = try #require(try Charset.data(whole, in: encoding))
        for count in 0...data.count {
            let cut = try Charset.text(data.prefix(count), in: encoding, isCut: true)
            // Marks are composed with the letter before.
            let isPrefix = cut.map { scalars(whole).starts(with: scalars($0)) }
            #expect(isPrefix ?? (encoding == .utf8 || !convertsByCLibrary), "\(count) of \(data.count) bytes")
            if let text = try Charset.text(data.prefix(count), in: encoding) { #expect(text == cut) }
        }
    }

    @Test("random bytes are an error, or a text that its bytes keep", arguments: Charset.encodings)
    func randomBytes(_ encoding: String.Encoding) throws {
        var random = SplitMix64(seed: 41)
        for _ in 0..<(isExhaustive ? 20_000 : 300) {
            let bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                let frequent: [UInt8] = [0x1B, 0x24, 0x28, 0x42, 0x30, 0x81, 0x8F, 0xA1, 0xD8, 0]
                return Bool.random(using: &random)
                    ? frequent.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
            }
            guard let text = try Charset.text(Data(bytes), in: encoding),
                let data = try Charset.data(text, in: encoding)
            else { continue }
            #expect(try Charset.text(data, in: encoding) == text, "\(bytes)")
        }
    }

    /// Returns the text that is decoded from a character between letters; nil if the encoding lacks the character.
    private func text(_ scalar: Unicode.Scalar, _ encoding: String.Encoding) throws -> String? {
        try Charset.data("a\(scalar)b", in: encoding).flatMap { try Charset.text($0, in: encoding) }
    }

    private func scalars(_ text: String) -> [Unicode.Scalar] {
        Array(text.decomposedStringWithCanonicalMapping.unicodeScalars)
    }
}

/// Whether the C library converts the encodings that FoundationEssentials lacks.
private let convertsByCLibrary: Bool = {
    #if os(Linux) && !APPLE_BRANCH
        true
    #else
        false
    #endif
}()
