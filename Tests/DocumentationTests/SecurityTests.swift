import Testing

/// Docs/Security.md names, for each threat, the tests that show what stands against it.
struct SecurityTests {
    private static let markdown = Markdown.read("Docs/Security.md")
    private static let head = "| Threat | Defense | Tests |"

    /// A test that a page names: the file, from the root, and the title.
    struct Proof: Hashable, Sendable, CustomTestStringConvertible {
        let path: String
        let title: String

        var testDescription: String { "\(path): \(title)" }

        /// Whether the file has a test of that title.
        func stands(in text: String) -> Bool {
            text.matches(of: /@Test\(\s*"([^"]*)"/).contains { $0.output.1 == title }
        }
    }

    static let proofs: [Proof] = markdown.prose.flatMap(proofs(in:))

    /// The tests that a line names, each as `[Name](path): "title"`.
    private static func proofs(in line: String) -> [Proof] {
        line.matches(of: /\]\(\.\.\/([^)]+)\): "([^"|]+)"/).map {
            Proof(path: String($0.output.1), title: String($0.output.2))
        }
    }

    @Test("each test that is named exists, under its title", arguments: proofs)
    func exists(proof: Proof) {
        #expect(proof.stands(in: text(of: proof.path)))
    }

    @Test("each threat has what stands against it, and a test")
    func rows() {
        let rows = Self.markdown.prose.filter { $0.hasPrefix("| ") && !$0.hasPrefix("| --") && $0 != Self.head }
        #expect(rows.count > 30)
        for row in rows {
            #expect(row.split(separator: "|").count == 3, "\(row)")
            #expect(!Self.proofs(in: row).isEmpty, "\(row)")
        }
    }

    @Test("a title that no test has is noticed")
    func wrongTitle() {
        let proof = Proof(path: "x.swift", title: "a")
        #expect(proof.stands(in: #"@Test("a", arguments: [1])"#))
        #expect(proof.stands(in: "@Test(\n    \"a\",\n    arguments: [1]\n)"))
        #expect(!proof.stands(in: #"@Test("ab") // "a""#))
        #expect(!proof.stands(in: ""))
    }
}
