import StartSmallForms
import StartSmallModels
import Testing

struct NullableTests {
    private struct Patch: Codable, Equatable {
        var title: Nullable<String> = .absent
        let pages: Nullable<Int>
        var ofOptional: Nullable<String>?
    }

    private struct Generic<T: Codable>: Codable {
        var value: Nullable<T> = .absent
        var list: Nullable<[Nullable<T>]> = .absent
        var inner: Nullable<Patch> = .absent
    }

    @Test(
        "absent, null and a value stay what they are",
        arguments: ModelDecoder.allCases,
        [
            "{}", #"{"title":null}"#, #"{"title":"a"}"#, #"{"pages":3,"title":null}"#, #"{"pages":null,"title":""}"#,
            #"{"ofOptional":null}"#, #"{"ofOptional":"a","pages":0}"#,
        ]
    )
    func states(_ decoder: ModelDecoder, _ text: String) throws {
        #expect(try json(decoder.decode(Patch.self, text)) == text)
    }

    @Test(
        "so they do in generic and nested types",
        arguments: ModelDecoder.allCases,
        [
            "{}", #"{"value":null}"#, #"{"value":1}"#, #"{"list":[1,null]}"#, #"{"list":null}"#, #"{"list":[]}"#,
            #"{"inner":null}"#, #"{"inner":{"pages":null}}"#, #"{"inner":{}}"#,
        ]
    )
    func generic(_ decoder: ModelDecoder, _ text: String) throws {
        #expect(try json(decoder.decode(Generic<Int>.self, text)) == text)
    }

    @Test("an optional keeps null apart from absent", arguments: ModelDecoder.allCases)
    func optional(_ decoder: ModelDecoder) throws {
        #expect(try decoder.decode(Patch.self, "{}").ofOptional == nil)
        #expect(try decoder.decode(Patch.self, #"{"ofOptional":null}"#).ofOptional == .some(.null))
        #expect(try json(Patch(pages: .absent, ofOptional: .some(.absent))) == "{}")
    }

    @Test("generic code that declares an optional loses null", arguments: ModelDecoder.allCases)
    func genericOptional(_ decoder: ModelDecoder) throws {
        struct Box<T: Codable>: Codable { var value: T? }
        #expect(try json(decoder.decode(Box<Nullable<Int>>.self, #"{"value":null}"#)) == "{}")
    }

    @Test("a value of another type is an error with its path", arguments: ModelDecoder.allCases)
    func otherType(_ decoder: ModelDecoder) {
        #expect(path { try decoder.decode(Patch.self, #"{"title":3}"#) } == ["title"])
        #expect(path { try decoder.decode(Generic<Int>.self, #"{"list":[null,"a"]}"#) } == ["list", "1"])
    }

    @Test("an absent value that must be written is an error, and never null")
    func absent() {
        func encoded<T: Encodable>(_ value: T) throws -> String { try json(["a": value]) }
        #expect(path { try json([Nullable<Int>.absent]) } == ["0"])
        #expect(path { try json(["a": Nullable<Int>.absent]) } == ["a"])
        #expect(path { try encoded(Nullable<Int>.absent) } == ["a"])
        #expect(throws: (any Error).self) { try query(["a": Nullable<Int>.absent]) }
    }

    @Test("queries and forms leave out what is absent, and write null as their encoder does")
    func queries() throws {
        let patch = Patch(title: .null, pages: .absent)
        #expect(try query(patch) == [])
        #expect(try query(patch, QueryEncoder(nils: .empty)) == ["title="])
        #expect(try query(Patch(title: .value("a"), pages: .value(1))) == ["title=a", "pages=1"])
    }
}
