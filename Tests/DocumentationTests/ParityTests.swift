import Foundation
import Testing

/// Tests of the rows in Docs/Parity.md: whether each is done, and the tests that prove it.
struct ParityTests {
    private static let markdown = Markdown.read("Docs/Parity.md")

    /// The IDs of all rows; the counts are those of the four source systems.
    private static let ids = [("A", 13), ("B", 28), ("C", 9), ("D", 16)].flatMap { letter, count in
        (1...count).map { "\(letter)\($0)" }
    }

    /// A row of the table: its ID, and the files that its cell "proof" links to.
    struct Row: Sendable, CustomTestStringConvertible {
        let id: String
        let proofs: [String]
        let cells: [String]

        var testDescription: String { id }
    }

    static let done: [Row] = markdown.prose.compactMap { line in
        guard line.firstMatch(of: /^\| [A-D][0-9]+ \|/) != nil else { return nil }
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        let proofs = Markdown(path: markdown.path, lines: [cells.count > 2 ? cells[2] : ""]).links.map(\.path)
        return Row(id: cells[0], proofs: proofs, cells: cells)
    }

    private static let toCome: [String] = markdown.prose.filter { $0.hasPrefix("To come: ") }.flatMap { line in
        line.matches(of: /\b[A-D][0-9]+\b/).map { String($0.output) }
    }

    @Test("each row of the four systems is either done or to come")
    func eachRowOnce() {
        #expect((Self.done.map(\.id) + Self.toCome).sorted() == Self.ids.sorted())
    }

    @Test("each finished row has its feature, its proof and its guide", arguments: done)
    func cells(row: Row) {
        #expect(row.cells.count == 4)
        #expect(!row.proofs.isEmpty)
        let guides = Markdown(path: "Docs/Parity.md", lines: [row.cells.last ?? ""]).links
        #expect(guides.count == 1)
    }

    @Test("each file that proves a row has a test with the row's trait", arguments: done)
    func proofs(row: Row) {
        for proof in row.proofs {
            #expect(text(of: proof).contains(".parity(\"\(row.id)\")"), "no test of \(row.id) in \(proof)")
        }
    }
}
