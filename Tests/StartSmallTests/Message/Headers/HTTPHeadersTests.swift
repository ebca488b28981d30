import StartSmall
import Testing
import ParityTrait

struct HTTPHeadersTests {
    @Test("a literal keeps its order and its duplicates")
    func literal() {
        let headers: HTTPHeaders = ["B": "1", "A": "2", "b": "3"]
        #expect(headers.fields.map(\.name) == ["B", "A", "b"])
        #expect(headers.fields.map(\.value) == ["1", "2", "3"])
    }

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
        "only letters of ASCII are compared case-insensitively",
        arguments: [("@", "`"), ("[", "{"), ("É", "é"), ("K", "\u{212A}"), ("_", "\u{7F}")]
    )
    func caseOfASCIIOnly(_ one: String, _ other: String) {
        let headers: HTTPHeaders = [one: "1"]
        #expect(headers[other] == nil)
        #expect(headers != [other: "1"])
    }

    @Test("two Set-Cookie fields stay separate")
    func duplicates() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "Date": "today"]
        headers.append("set-cookie", "b=2")
        #expect(headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(headers["Set-Cookie"] == "a=1")
        #expect(headers.fields.count == 3)
    }

    @Test("setting a value replaces all fields of the name at the position of the first")
    func setting() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3", "C": "4", "A": "5"]
        headers["a"] = "6"
        #expect(headers.fields.map(\.description) == ["a: 6", "B: 2", "C: 4"])
    }

    @Test("setting a value appends a new name")
    func settingNew() {
        var headers: HTTPHeaders = ["A": "1"]
        headers["B"] = "2"
        #expect(headers.fields.map(\.name) == ["A", "B"])
    }

    @Test("setIfAbsent keeps an existing field in any case, even an empty one")
    func settingIfAbsent() {
        var headers: HTTPHeaders = ["accept": ""]
        headers.setIfAbsent("Accept", to: "text/plain")
        headers.setIfAbsent("B", to: "2")
        #expect(headers == ["Accept": "", "B": "2"])
    }

    @Test("setting nil removes all fields of the name and no other")
    func removing() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers["A"] = nil
        #expect(headers.fields.map(\.name) == ["B"])
        headers["none"] = nil
        #expect(headers.fields.count == 1)
    }

    @Test("the subscript sets a field, and removes it with nil")
    func subscripting() {
        var headers: HTTPHeaders = ["A": "1", "a": "2"]
        headers["A"] = "3"
        #expect(headers.fields.map(\.value) == ["3"])
        headers["a"] = nil
        #expect(headers.fields.isEmpty)
    }

    @Test("merging replaces fields with the other's fields of the same names", .parity("C4"))
    func merging() {
        let headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        let merged = headers.merging(["a": "4", "C": "5", "A": "6"])
        #expect(merged.fields.map(\.description) == ["B: 2", "a: 4", "C: 5", "A: 6"])
    }

    @Test("merging returns a copy, and changes neither the values nor the original", .parity("C4"))
    func mergingCopies() {
        let headers: HTTPHeaders = ["A": " one ,two"]
        let merged = headers.merging(["B": "\"three\"; q=1"]).merging(["C": ""])
        #expect(merged.fields.map(\.value) == [" one ,two", "\"three\"; q=1", ""])
        #expect(headers.fields.map(\.name) == ["A"])
    }

    @Test("merging with empty headers, on either side, changes nothing")
    func mergingNothing() {
        let headers: HTTPHeaders = ["A": "1", "a": "2"]
        #expect(headers.merging([:]) == headers)
        #expect(HTTPHeaders().merging(headers) == headers)
    }

    @Test("values are compared byte by byte, in time that grows with their length alone")
    func bytes() {
        #expect(HTTPHeaders([.init(name: "a", value: "\u{E9}")]) != ["a": "e\u{301}"])
        #expect(HTTPHeaders.Field(name: "a", value: "\u{E9}") != .init(name: "a", value: "e\u{301}"))
        Hostile.expectLinear(Hostile.accents) { text in
            let hostile: HTTPHeaders = [text: text, "a": text]
            #expect(hostile != ["b": "c", "a": "c"])
            #expect(Set([hostile, hostile]).count == 1)
            #expect(Set(hostile.fields).count == 2)
        }
    }

    @Test("equality and hash ignore the case of names, and the order of different names")
    func equality() {
        let one: HTTPHeaders = ["A": "1", "B": "2"]
        let other: HTTPHeaders = ["b": "2", "a": "1"]
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
    }

    @Test(
        "the order of fields of one name, their number and their values count",
        arguments: [
            ["A": "2", "A": "1"], ["A": "1"], ["A": "1", "A": "2", "A": "2"], ["A": "1, 2"], [:],
        ] as [HTTPHeaders]
    )
    func inequality(_ other: HTTPHeaders) {
        #expect(other != ["A": "1", "A": "2"])
    }

    @Test("a dictionary becomes fields that are sorted by name, and loses none")
    func dictionary() {
        let values = ["b": "2", "A": "1", "a": "3"]
        #expect(HTTPHeaders(values).fields.map { "\($0.name)=\($0.value)" } == ["A=1", "a=3", "b=2"])
    }
}
