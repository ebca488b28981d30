import Foundation
import Testing

/// The form of the documentation in Sources: see "Documentation" in Docs/CONTRIBUTING.md.
struct WordingTests {
    private static let sources = files(in: "Sources", ending: ".swift") + files(in: "Sources", ending: ".c")
    private static let headers = files(in: "Sources", ending: ".h")

    /// A documentation comment opens with a noun phrase or a verb in the third person, which name what they are about.
    private static let badOpenings: Set<Substring> = [
        "What", "Whatever", "Who", "Whose", "Whoever", "How", "Where", "When", "Why", "Which", "That", "Those", "Them",
        "This", "These", "It", "They", "There", "If", "So", "Nothing", "Nobody", "Somebody", "Someone", "One's",
    ]

    @Test("a documentation comment opens with a noun phrase or a verb", arguments: sources)
    func openings(file: String) {
        var isInComment = false
        for line in lines(of: file) {
            let text = line.drop { $0 == " " }
            let opens = text.hasPrefix("/// ") && !isInComment
            isInComment = text.hasPrefix("///")
            guard opens else { continue }
            let summary = text.dropFirst(4)
            let word = summary.prefix { $0.isLetter || $0 == "'" }
            #expect(!Self.badOpenings.contains(word) && !summary.hasPrefix("The same"), "\(file): \(summary)")
        }
    }

    @Test("the description of a parameter begins in lower case, or with code", arguments: sources + headers)
    func parameters(file: String) throws {
        var isInList = false
        for line in lines(of: file) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("/// - ") || !text.hasPrefix("///  ") { isInList = text == "/// - Parameters:" }
            let isParameter = text.hasPrefix("/// - Parameter ") || (isInList && text.hasPrefix("///   - "))
            guard isParameter, let colon = text.firstIndex(of: ":") else { continue }
            let description = text[colon...].dropFirst().drop { $0 == " " }
            let first = try #require(description.first, "\(file): \(text)")
            // An abbreviation or a proper name, such as "URL" or "HTTP/2", has a second letter in upper case.
            let isName = description.dropFirst().first?.isUppercase == true
            #expect(first.isLowercase || first == "`" || isName, "\(file): \(text)")
        }
    }

    private func lines(of file: String) -> [Substring] {
        text(of: file).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
