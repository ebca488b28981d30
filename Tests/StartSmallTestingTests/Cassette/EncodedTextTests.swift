import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite struct EncodedTextTests {
    @Test(
        "the encoding comes from the first bytes, else from the media type, else it is UTF-8",
        arguments: [
            ([0x61], nil, .utf8, "a"), ([], "text/plain; charset=utf-16", .utf16BigEndian, ""),
            ([0xEF, 0xBB, 0xBF, 0x61], "text/plain; charset=utf-16", .utf8, "a"),
            ([0xFF, 0xFE, 0x61, 0], "text/plain; charset=utf-8", .utf16LittleEndian, "a"),
            ([0xFE, 0xFF, 0, 0x61], nil, .utf16BigEndian, "a"), ([0x61, 0, 0x62, 0], nil, .utf16LittleEndian, "ab"),
            ([0, 0x61, 0, 0x62], nil, .utf16BigEndian, "ab"), ([0x61, 0, 0, 0], nil, .utf32LittleEndian, "a"),
            ([0, 0, 0, 0x61], nil, .utf32BigEndian, "a"),
            ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], nil, .utf32LittleEndian, "a"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], nil, .utf32BigEndian, "a"),
            ([0x30, 0x42], "text/plain; charset=utf-16", .utf16BigEndian, "あ"),
            ([0x42, 0x30], "text/plain; charset=utf-16le", .utf16LittleEndian, "あ"),
            ([0x82, 0xA0], "text/plain; charset=shift_jis", .shiftJIS, "あ"),
            ([0xE4], "text/plain; charset=iso-8859-1", .isoLatin1, "ä"),
        ] as [([UInt8], String?, String.Encoding, String)]
    )
    func encoding(bytes: [UInt8], mediaType: String?, encoding: String.Encoding, expected: String) throws {
        let text = try #require(EncodedText(Data(bytes), mediaType.map(MediaType.init(rawValue:))))
        #expect(text.encoding == encoding)
        #expect(text.isKnown)
        #expect(text.text == expected)
        #expect(text.bytes(of: text.text) == Data(bytes))
    }

    @Test("bytes with a text's media type that are invalid in its charset have one character for each byte")
    func unknown() throws {
        let bytes = Data((0...255).map { UInt8($0) })
        let mediaTypes: [MediaType] = ["text/plain; charset=utf-8", "text/plain; charset=klingon", .json]
        for mediaType in mediaTypes {
            let text = try #require(EncodedText(bytes, mediaType))
            #expect(!text.isKnown)
            #expect(text.text.unicodeScalars.map(\.value) == Array(0...255))
            #expect(text.bytes(of: text.text) == bytes)
            #expect(text.named == nil)
        }
    }

    @Test("bytes without a media type have one character for each byte if none is a control character")
    func untyped() throws {
        let bytes = Data([0x09, 0x0A, 0x0D, 0x1B] + (0x20...0x7E) + (0x80...0xFF))
        let text = try #require(EncodedText(bytes, nil))
        #expect(!text.isKnown)
        #expect(text.text.unicodeScalars.map(\.value) == bytes.map { UInt32($0) })
        #expect(text.bytes(of: text.text) == bytes)
        for control: UInt8 in [0, 1, 0x1F, 0x7F] { #expect(EncodedText(bytes + [control], nil) == nil) }
    }

    @Test(
        "undecodable bytes with a binary media type are no text",
        arguments: ["image/png", "application/octet-stream"]
    )
    func none(mediaType: String) {
        #expect(EncodedText(Data([0x89, 0xFF]), MediaType(rawValue: mediaType)) == nil)
    }

    @Test("a character that the encoding lacks is replaced, and the others are kept")
    func lossy() throws {
        let text = try #require(EncodedText(Data([0xE4]), "text/plain; charset=iso-8859-1"))
        #expect(text.bytes(of: "ä<あ>") == Data([0xE4, 0x3C, 0x3F, 0x3E]))
    }
}
