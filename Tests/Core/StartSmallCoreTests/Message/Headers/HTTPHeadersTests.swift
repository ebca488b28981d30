import StartSmall
import TestSupport
import Testing

struct HTTPHeadersTests {
    @Test(
        "names are found in any case",
        arguments: ["Content-Type", "content-type", "CONTENT-TYPE", "cOnTeNt-TyPe"]
    )
    func lookup(_ name: String) {
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]
        #expect(headers[name] == "text/plain")
        #expect(headers.contains(name))
        #expect(headers.values(of: name) == ["text/plain"])
    }

    @Test(
        "only letters of ASCII in a name are compared case-insensitively, and all else byte by byte",
        arguments: [("@", "`"), ("[", "{"), ("É", "é"), ("K", "\u{212A}"), ("_", "\u{7F}")]
    )
    func caseOfASCIIOnly(_ one: String, _ other: String) {
        let headers: HTTPHeaders = [one: "1"]
        #expect(headers[other] == nil)
        #expect(headers != [other: "1"])
        // Values are compared byte by byte, even if their letters look alike.
        #expect(HTTPHeaders([.init(name: "a", value: "\u{E9}")]) != ["a": "e\u{301}"])
        #expect(HTTPHeaders.Field(name: "a", value: "\u{E9}") != .init(name: "a", value: "e\u{301}"))
    }

    @Test("two names of one ASCII character are the same if both are the same letter or byte")
    func allPairs() {
        let names = (0..<128 as Range<UInt8>).map { String(UnicodeScalar($0)) }
        for one in names {
            let headers: HTTPHeaders = [one: "1"]
            #expect(names.filter(headers.contains) == names.filter { $0.lowercased() == one.lowercased() })
        }
    }

    @Test(
        "setting a value replaces all fields of the name at the position of the first, or removes them",
        arguments: [
            ("a", "6", ["a: 6", "B: 2", "C: 4"]), ("a", nil, ["B: 2", "C: 4"]),
            ("D", "6", ["A: 1", "B: 2", "a: 3", "C: 4", "A: 5", "D: 6"]),
            ("D", nil, ["A: 1", "B: 2", "a: 3", "C: 4", "A: 5"]),
        ] as [(String, String?, [String])]
    )
    func setting(_ name: String, _ value: String?, _ expected: [String]) {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        headers[name] = value
        #expect(headers.fields.map(\.description) == expected)
    }

    @Test("setIfAbsent keeps an existing field in any case, even an empty one")
    func settingIfAbsent() {
        var headers: HTTPHeaders = ["accept": ""]
        headers.setIfAbsent("Accept", to: "text/plain")
        headers.setIfAbsent("B", to: "2")
        #expect(headers == ["Accept": "", "B": "2"])
    }

    @Test(
        "merging returns a copy, whose fields of the other's names are the other's, with unchanged values",
        .parity("C4")
    )
    func merging() {
        let headers: HTTPHeaders = ["A": "1", "B": " one ,two", "a": "3"]
        let merged = headers.merging(["a": "4", "C": "\"three\"; q=1", "A": ""])
        #expect(merged.fields.map(\.description) == ["B:  one ,two", "a: 4", "C: \"three\"; q=1", "A: "])
        #expect(headers.fields.map(\.name) == ["A", "B", "a"])
    }

    @Test(
        "the order of fields of one name, their number and their values count, but not the order of names, nor their case",
        arguments: [
            ["A": "2", "A": "1"], ["A": "1"], ["A": "1", "A": "2", "A": "2"], ["A": "1, 2"], [:],
        ] as [HTTPHeaders]
    )
    func inequality(_ other: HTTPHeaders) {
        #expect(other != ["A": "1", "A": "2"])
        #expect(
            HTTPHeaders(other.fields + [.init(name: "B", value: "3")])
                == HTTPHeaders([.init(name: "b", value: "3")] + other.fields)
        )
    }

    @Test("fields keep their order and their duplicates, and a dictionary becomes fields that are sorted by name")
    func order() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "Date": "today"]
        headers.append("set-cookie", "b=2")
        #expect(headers.fields.map(\.name) == ["Set-Cookie", "Date", "set-cookie"])
        #expect(headers.values(of: "Set-Cookie") == ["a=1", "b=2"] && headers["Set-Cookie"] == "a=1")
        let values = ["b": "2", "A": "1", "a": "3"]
        #expect(HTTPHeaders(values).fields.map { "\($0.name)=\($0.value)" } == ["A=1", "a=3", "b=2"])
    }
}
