import Foundation
import TestSupport
import Testing

@testable import StartSmallJSON
@testable import StartSmallStreams

struct PartialJSONTests {
    private static func read(_ text: String, depth: Int = 512, limit: Int = 1_000) -> PartialJSON {
        var json = PartialJSON(depth: depth, limit: limit)
        try? json.append(text)
        return json
    }

    private static func completed(_ text: String, withOpenText: Bool = true) -> String? {
        read(text).completed(withOpenText: withOpenText).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: cuts

    @Test(
        "what is open is closed, and a member without a whole value is left out",
        arguments: [
            ("", nil), (" \n", nil), ("{", "{}"), ("[", "[]"), (" [ ", " []"),
            // Names, colons and commas.
            (#"{"a"#, "{}"), (#"{"a""#, "{}"), (#"{"a":"#, "{}"), (#"{"a": "#, "{}"), (#"{"a":1,"#, #"{"a":1}"#),
            (#"{"a":1,"b"#, #"{"a":1}"#), (#"{"a":{"b":[{"#, #"{"a":{"b":[{}]}}"#), ("[1,[2,", "[1,[2]]"),
            ("[[],", "[[]]"), (#"[{"a":1},{"#, #"[{"a":1},{}]"#),
            // Strings, and escapes in them.
            (#"""#, #""""#), (#""a"#, #""a""#), (#"{"a":""#, #"{"a":""}"#), (#"["a\"#, #"["a"]"#),
            (#"["a\n"#, #"["a\n"]"#), (#"["a\""#, #"["a\""]"#), (#"["a\u"#, #"["a"]"#), (#"["a\u00e"#, #"["a"]"#),
            (#"["a\u00e9"#, #"["a\u00e9"]"#),
            // A surrogate pair, of which one half is no character.
            (#"["a\ud83d"#, #"["a"]"#), (#"["a\ud83d\"#, #"["a"]"#), (#"["a\ud83d\ude0"#, #"["a"]"#),
            (#"["a\ud83d\ude00"#, #"["a\ud83d\ude00"]"#), (#"["a\uD83D\uDE00b"#, #"["a\uD83D\uDE00b"]"#),
            // Numbers that may go on, and those after which something follows.
            ("-", nil), ("[-", "[]"), ("[1", "[]"), ("[1.", "[]"), ("[1.5", "[]"), ("[1e", "[]"), ("[1e+", "[]"),
            ("[1e5", "[]"), ("[0", "[]"), ("[1,2", "[1]"), ("[1 ", "[1]"), ("[1]", "[1]"), (#"{"a":1"#, "{}"),
            ("12", "12"), ("12.", nil), ("-0", "-0"), ("1e5 ", "1e5 "),
            // Words.
            ("t", nil), ("tru", nil), ("true", "true"), ("[fals", "[]"), ("[false", "[false]"), ("[nul", "[]"),
            (#"{"a":null"#, #"{"a":null}"#),
            // Whole documents, also with two members of one name.
            (#"{"a":1,"a":2}"#, #"{"a":1,"a":2}"#), (#"{"a":1,"a":"#, #"{"a":1}"#), ("[] ", "[] "),
            (#""a" "#, #""a" "#),
        ] as [(String, String?)]
    )
    func cut(_ text: String, _ expected: String?) {
        #expect(Self.completed(text) == expected)
        #expect(Self.read(text).error == nil)
    }

    @Test("an open string can be left out, but not one that has ended, nor what is before it")
    func withoutOpenText() {
        #expect(Self.completed(#"{"a":"x","b":"y"#, withOpenText: false) == #"{"a":"x"}"#)
        #expect(Self.completed(#"{"a":"x"#, withOpenText: false) == "{}")
        #expect(Self.completed(#""x"#, withOpenText: false) == nil)
        #expect(Self.completed(#""x""#, withOpenText: false) == #""x""#)
    }

    @Test("a character of several bytes that is cut is left out until it is whole")
    func characters() throws {
        let text = Array(#"["é日😀"#.utf8)
        let shown = try text.indices.map { index in
            var json = PartialJSON()
            try json.append(Data(text[...index]))
            return String(decoding: json.completed() ?? Data(), as: UTF8.self)
        }
        #expect(
            shown == [
                "[]", #"[""]"#, #"[""]"#, #"["é"]"#, #"["é"]"#, #"["é"]"#, #"["é日"]"#, #"["é日"]"#, #"["é日"]"#,
                #"["é日"]"#, #"["é日😀"]"#,
            ]
        )
    }

    @Test(
        "a document is complete when nothing but white space can follow, or more of its number",
        arguments: [
            ("", false), ("{", false), ("{}", true), ("{} ", true), (#"{"a":[1]"#, false), ("1", true), ("1 ", true),
            ("1.", false), ("-", false), ("tru", false), ("null", true), (#""a"#, false), (#""a""#, true),
        ]
    )
    func completeness(_ text: String, _ isComplete: Bool) {
        #expect(Self.read(text).isComplete == isComplete)
    }

    // MARK: errors

    @Test(
        "what is no JSON fails at its first wrong byte",
        arguments: [
            ("x", 0), ("\u{FEFF}{}", 0), ("}", 0), ("]", 0), (",", 0), (":", 0), ("'a'", 0), ("+1", 0), (".5", 0),
            ("{a", 1), ("{1", 1), ("{,", 1), ("[,", 1), ("[1,]", 3), (#"{"a":1,}"#, 7), (#"{"a" 1"#, 5), (#"{"a"}"#, 4),
            (#"{"a":}"#, 5), (#"{"a":1 "b""#, 7), ("[1 2", 3), ("[}", 1), ("{]", 1), ("[1}", 2), (#"{"a":1]"#, 6),
            ("01", 1), ("-x", 1), ("-01", 2), ("1.e", 2), ("1.5.", 3), ("1e5.", 3), ("1ee", 2), ("1e+-", 3), ("[-]", 2),
            ("[1.]", 3), ("[1e]", 3), ("1x", 1), ("tx", 1), ("truf", 3), ("truex", 4), ("nulL", 3), ("False", 0),
            (#""\x"#, 2), (#""\u00g"#, 5), (#""\u\"#, 3), ("\"a\nb\"", 2), ("\"\u{0}", 1), ("\"\t", 1),
            ("{\"\u{1F}", 2),
            // Bytes after the end.
            ("{}{}", 2), ("[] x", 3), ("1 2", 2), (#""a""b""#, 3), ("null,", 4),
        ]
    )
    func errors(_ text: String, _ offset: Int) {
        let error = PartialJSONError(reason: .unexpectedByte, offset: offset)
        #expect(Self.read(text).error == error)
        #expect("\(error)" == "invalid JSON at byte \(offset)")
        // The bytes before it stay what they were.
        #expect(Self.completed(text) == Self.completed(String(decoding: text.utf8.prefix(offset), as: UTF8.self)))
    }

    @Test(
        "what is not UTF-8 fails at its first wrong byte (RFC 3629 3)",
        arguments: [
            ([0x80], 0), ([0xC0, 0x80], 0), ([0xC1], 0), ([0xF5], 0), ([0xFF], 0), ([0xC3, 0x22], 1),
            ([0xE0, 0x9F], 1),
            ([0xE0, 0xA0, 0x22], 2), ([0xED, 0xA0], 1), ([0xF0, 0x8F], 1), ([0xF4, 0x90], 1),
            ([0xF0, 0x90, 0x80, 0x22], 3),
        ] as [([UInt8], Int)]
    )
    func encoding(_ bytes: [UInt8], _ offset: Int) {
        for start in ["\"", "{\""] {
            var json = PartialJSON()
            let error = PartialJSONError(reason: .unexpectedByte, offset: start.utf8.count + offset)
            #expect(throws: error) { try json.append(Data(start.utf8) + Data(bytes)) }
        }
    }

    @Test("an error stays: each later piece throws it again, and is not read")
    func again() throws {
        var json = PartialJSON()
        try json.append(#"{"a":1"#)
        let error = PartialJSONError(reason: .unexpectedByte, offset: 6)
        #expect(throws: error) { try json.append(";") }
        let before = json
        #expect(throws: error) { try json.append(#","b":2}"#) }
        #expect(throws: error) { try json.append("") }
        #expect(json == before && !json.isComplete)
        #expect(json.completed() == Data("{}".utf8))
    }

    @Test("the depth is limited, and a document of the allowed depth can be decoded")
    func depth() throws {
        let deep = String(repeating: "[", count: 512)
        let json = try #require(Self.read(deep).completed())
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: json) }
        #expect(Self.read(deep + "[").error == PartialJSONError(reason: .tooDeep(limit: 512), offset: 512))
        #expect(Self.read(#"{"a":{"b":1},"c":[{"#, depth: 2).error == .init(reason: .tooDeep(limit: 2), offset: 18))
        #expect(Self.read("[[]],", depth: 2).error == PartialJSONError(reason: .unexpectedByte, offset: 4))
        #expect(Self.read("[", depth: 0).error == PartialJSONError(reason: .tooDeep(limit: 0), offset: 0))
        #expect(Self.read("[", depth: -1).error == PartialJSONError(reason: .tooDeep(limit: -1), offset: 0))
    }

    @Test("the length is limited, and what is within the limit is read", arguments: 1...9)
    func limit(pieceSize: Int) {
        var json = PartialJSON(limit: 8)
        let error = PartialJSONError(reason: .tooLong(limit: 8), offset: 8)
        #expect(throws: error) {
            for piece in pieces(Array(#"["abcdefghij"]"#.utf8), pieceSize) { try json.append(piece) }
        }
        #expect(json.completed() == Data(#"["abcdef"]"#.utf8))
        #expect("\(error)" == "JSON of more than 8 bytes")
        var exact = PartialJSON(limit: 8)
        #expect(throws: Never.self) { try exact.append(#"["abcd"]"#) }
        #expect(Self.read("1", limit: -1).error == PartialJSONError(reason: .tooLong(limit: 0), offset: 0))
    }

    // MARK: laws

    private static let documents = [
        #"{"a":[1,-2.5e+3,{"b":null}],"c":"x\n\u00e9\ud83d\ude00 é日😀","d":{},"e":[],"f":true,"g":false,"h":0}"#,
        #"[[[["a"],1.0],{"a":{"a":{"a":"\\\"\/"}}}],-0,1E5,"" , { "k" : "v" , "l" : [ ] } ]"#,
        "\"\\\\\\\"\\u0041\\uD834\\uDD1E\"", " \t\r\n[true , false,null ]\n ", "-12.5e-7", "0", "{}",
        "\"\u{7F}\u{80}\"",
    ]

    private func pieces(_ bytes: [UInt8], _ size: Int) -> [Data] {
        stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min(bytes.count, $0 + size)]) }
    }

    @Test("the state does not depend on the cuts", arguments: documents)
    func cuts(_ text: String) throws {
        let bytes = Array(text.utf8)
        let whole = Self.read(text)
        #expect(whole.isComplete && whole.completed() == Data(bytes))
        for size in 1...bytes.count {
            var json = PartialJSON(limit: 1_000)
            for piece in pieces(bytes, size) { try json.append(piece) }
            #expect(json == whole, "\(size)")
        }
    }

    @Test("each cut completes to a document whose values are those of the whole, or the beginnings of its strings")
    func prefixes() throws {
        for text in Self.documents {
            let bytes = Array(text.utf8)
            let whole = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            var json = PartialJSON()
            for index in bytes.indices {
                try json.append(Data([bytes[index]]))
                for withOpenText in [true, false] {
                    guard let completed = json.completed(withOpenText: withOpenText) else { continue }
                    let part = try JSONSerialization.jsonObject(with: completed, options: .fragmentsAllowed)
                    // A number that is the whole document may go on.
                    let isPart = part is NSNumber || isPart(part, of: whole, mayEndEarly: withOpenText)
                    #expect(isPart, "\(String(decoding: completed, as: UTF8.self))")
                }
            }
        }
    }

    private func isPart(_ part: Any, of whole: Any, mayEndEarly: Bool) -> Bool {
        switch (part, whole) {
        case (let part as [String: Any], let whole as [String: Any]):
            part.allSatisfy { name, value in
                whole[name].map { isPart(value, of: $0, mayEndEarly: mayEndEarly) } ?? false
            }
        case (let part as [Any], let whole as [Any]):
            part.count <= whole.count
                && zip(part, whole).allSatisfy { isPart($0, of: $1, mayEndEarly: mayEndEarly) }
        case (let part as String, let whole as String):
            mayEndEarly ? whole.unicodeScalars.starts(with: part.unicodeScalars) : whole == part
        case (let part as NSNumber, let whole as NSNumber): part == whole
        default: part is NSNull && whole is NSNull
        }
    }

    @Test("a document with one byte changed fails where a reader of whole documents does", arguments: documents)
    func changed(_ text: String) {
        let bytes = Array(text.utf8)
        for index in bytes.indices where bytes[index] < 0x80 {
            for byte in #"{}[]",:\-+0e.tu "#.utf8 {
                var changed = bytes
                changed[index] = byte
                let data = Data(changed)
                var json = PartialJSON()
                try? json.append(data)
                let offset = JSONTape.offsetOfError(in: data)
                let isWhole = offset == nil
                #expect(json.isComplete == isWhole, "\(String(decoding: changed, as: UTF8.self))")
                #expect(
                    (json.error?.offset ?? data.count) == offset ?? data.count,
                    "\(String(decoding: changed, as: UTF8.self))"
                )
            }
        }
    }

    @Test(
        "many small pieces are read in linear time",
        arguments: ["[", #"{"a":"#, #""\ud83d"#, "1", "-", " ", "[[],", #"["a","#, "é", #"{"a":1,"a":1,"#]
    )
    func linear(_ pattern: String) {
        Hostile.expectLinear(pattern) { text in
            for start in ["", "\"", "["] {
                var json = PartialJSON(depth: .max)
                try? json.append(start)
                for piece in pieces(Array(text.utf8), 1) where json.error == nil { try? json.append(piece) }
                _ = json.completed()
            }
        }
    }

    @Test("a description has only the size")
    func description() {
        let json = Self.read(#"{"password":"s3cr3t"#)
        #expect("\(json)" == "partial JSON of 19 bytes")
        #expect(String(reflecting: json) == "\(json)")
        var dumped = ""
        dump(json, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
        #expect("\(Self.read("{}"))" == "complete JSON of 2 bytes")
    }
}
