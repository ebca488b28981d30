import Testing

/// Tests of Docs/Security.md, which names for each threat the tests that show its countermeasure, and of the conformance
/// tests in Docs/CONTRIBUTING.md.
struct SecurityTests {
    private static let markdown = Markdown.read("Docs/Security.md")
    private static let contributing = Markdown.read("Docs/CONTRIBUTING.md")
    private static let head = "| Threat | Defense | Tests |"

    /// A test that a page names: its file as a path from the root, and its title.
    struct Proof: Hashable, Sendable, CustomTestStringConvertible {
        let path: String
        let title: String

        var testDescription: String { "\(path): \(title)" }

        /// Whether a file's text has a test of that title.
        func occurs(in text: String) -> Bool {
            text.matches(of: /@Test\(\s*"([^"]*)"/).contains { $0.output.1 == title }
        }
    }

    static let proofs: [Proof] = Set((markdown.prose + contributing.prose).flatMap(proofs(in:))).sorted {
        $0.path < $1.path
    }

    /// Returns the tests that a line names, each as `[Name](path): "title"`.
    private static func proofs(in line: String) -> [Proof] {
        line.matches(of: /\]\(\.\.\/([^)]+)\): "([^"|]+)"/).map {
            Proof(path: String($0.output.1), title: String($0.output.2))
        }
    }

    @Test("each named test exists with its title", arguments: proofs)
    func exists(proof: Proof) {
        #expect(proof.occurs(in: text(of: proof.path)))
    }

    @Test("each threat has a countermeasure and a test")
    func rows() {
        let rows = Self.markdown.prose.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| --") && $0 != Self.head }
        #expect(rows.count > 30)
        for row in rows {
            #expect(row.split(separator: "|").count == 3, "\(row)")
            #expect(!Self.proofs(in: row).isEmpty, "\(row)")
        }
    }

    @Test("each of Apple's conformance tests has a test here, or the reason why not")
    func conformance() {
        let rows = Self.contributing.prose.filter { $0.hasPrefix("| `test") }
        #expect(rows.count == 39)
        for row in rows { #expect(!Self.proofs(in: row).isEmpty || row.contains("| No: "), "\(row)") }
    }
}
