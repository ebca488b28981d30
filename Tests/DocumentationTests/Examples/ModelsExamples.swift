import Foundation
import StartSmallModels
import Testing

/// The Swift blocks of Sources/Products/StartSmallModels/StartSmallModels.docc/StartSmallModels.md, in order.
struct ModelsExamples {
    enum Kind: String, Codable { case book, map }

    struct Item: Codable {
        var title: String
        var kind: Open<Kind>
    }

    func icon(of item: Item) -> String {
        switch item.kind {
        case .map: "🗺️"
        default: "📖"
        }
    }

    @Test("a kind that is not known is kept, and written back")
    func open() throws {
        let item = try JSONDecoder().decode(Item.self, from: Data(#"{"title":"Emma","kind":"scroll"}"#.utf8))

        #expect(icon(of: item) == "📖")
        #expect(icon(of: Item(title: "Japan", kind: .known(.map))) == "🗺️")
        #expect(try text(item) == #"{"kind":"scroll","title":"Emma"}"#)
    }

    struct ItemPatch: Codable {
        var title: Nullable<String> = .absent
        var subtitle: Nullable<String> = .absent
    }

    @Test("a patch deletes one member, and leaves the other one")
    func nullable() throws {
        let patch = ItemPatch(subtitle: .null)

        #expect(try text(patch) == #"{"subtitle":null}"#)
    }

    @Test("a decoder reads dates with fractions")
    func dates() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .rfc3339

        let dates = try decoder.decode([Date].self, from: Data(#"["2026-11-28T10:30:00.25+01:00"]"#.utf8))
        #expect(dates.map(\.rfc3339) == ["2026-11-28T09:30:00.250Z"])
    }

    struct Book: KeyedModel {
        var id: Int
        var title: String

        enum CodingKeys: String, CodingKey, CaseIterable { case id, title }
    }

    func renamed(_ book: Extra<Book>) -> Extra<Book> {
        var book = book
        book.title = "Emma"
        return book
    }

    @Test("what a model does not have is sent back as it came")
    func extra() throws {
        let json = #"{"id":1,"isbn":9007199254740993,"title":"Ema"}"#

        let book = try JSONDecoder().decode(Extra<Book>.self, from: Data(json.utf8))

        #expect(try text(renamed(book)) == #"{"id":1,"isbn":9007199254740993,"title":"Emma"}"#)
    }

    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
