import Foundation
import Testing

/// The root folder of the package, found from this file's path.
let root = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// A Markdown file of the package.
struct Markdown: Sendable, CustomTestStringConvertible {
    /// The path from the root, such as `Docs/Parity.md`.
    let path: String
    let lines: [String]

    var testDescription: String { path }

    /// README.md, CHANGELOG.md and all Markdown files in `Docs`.
    static let all: [Markdown] =
        ["README.md", "CHANGELOG.md"].map(read)
        + (files(in: "Docs", ending: ".md") + files(in: "Sources", ending: ".md")).map(read)

    static func read(_ path: String) -> Markdown {
        Markdown(path: path, lines: text(of: path).components(separatedBy: "\n"))
    }
}

/// A fenced block of code.
struct Block: Hashable {
    let file: String
    /// The line number of the opening fence.
    let line: Int
    let language: String
    let lines: [String]
}

extension Markdown {
    /// The fenced blocks in order; a fence that is never closed ends with the file.
    var blocks: [Block] {
        var blocks: [Block] = []
        var rest = lines.enumerated().makeIterator()
        while let (index, line) = rest.next() {
            guard let language = Self.fence(line) else { continue }
            var inside: [String] = []
            while let (_, line) = rest.next(), Self.fence(line) == nil { inside.append(line) }
            blocks.append(Block(file: path, line: index + 1, language: language, lines: inside))
        }
        return blocks
    }

    /// The targets of `[text](target)` outside of blocks that are files of the package, as paths from the root and
    /// anchors.
    ///
    /// DocC checks the targets that begin with `doc:`.
    var links: [(path: String, anchor: String?)] {
        let folder = root.appending(path: path).deletingLastPathComponent()
        return targets.filter { !$0.path.contains("://") && !$0.path.hasPrefix("doc:") && !Self.isPicture($0) }
            .map { (fromRoot(folder.appending(path: $0.path)), $0.anchor) }
    }

    /// The pictures of a catalog, which DocC finds by name in its `Resources`, as paths from the root.
    var pictures: [String] {
        guard let catalog = path.firstMatch(of: /^.*\.docc/)?.output else { return [] }
        return targets.filter(Self.isPicture).map { "\(catalog)/Resources/\($0.path)" }
    }

    /// The paths and anchors in the parentheses of `[text](path#anchor)`.
    private var targets: [(path: String, anchor: String?)] {
        prose.flatMap { $0.matches(of: /\]\(([^)#]+)(?:#([^)]*))?\)/) }
            .map { (String($0.output.1), $0.output.2.map(String.init)) }
    }

    private static func isPicture(_ target: (path: String, anchor: String?)) -> Bool {
        target.path.hasSuffix(".svg") || target.path.hasSuffix(".png")
    }

    private func fromRoot(_ url: URL) -> String {
        let path = url.standardizedFileURL.path(percentEncoded: false)
        return String(path.dropFirst(root.path(percentEncoded: false).count))
    }

    /// The anchors that GitHub forms of headings: lower-case letters, digits, `_`, and `-` for spaces.
    var anchors: [String] {
        prose.filter { $0.hasPrefix("#") }.map { heading in
            heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                .filter { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == " " }
                .replacing(" ", with: "-")
        }
    }

    /// The lines outside of blocks.
    var prose: [String] {
        var isInside = false
        return lines.filter { line in
            let isFence = Self.fence(line) != nil
            if isFence { isInside.toggle() }
            return !isFence && !isInside
        }
    }

    /// Returns the text after the backticks of a fence; nil if the line is no fence.
    private static func fence(_ line: String) -> String? {
        let line = line.trimmingCharacters(in: .whitespaces)
        return line.hasPrefix("```") ? String(line.dropFirst(3)) : nil
    }
}

/// Returns lines in a comparable form: without blank lines and without their shared indentation.
func normalized(_ lines: some Collection<String>) -> [String] {
    let lines = lines.filter { !$0.allSatisfy(\.isWhitespace) }
    let shared = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(shared)) }
}

/// Returns the paths from the root of all files in a folder and its subfolders, except in build folders of examples.
func files(in folder: String, ending: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    var paths: [String] = []
    while let path = all?.nextObject() as? String {
        if path == ".build" || path.hasSuffix("/.build") { all?.skipDescendants() } else { paths.append(path) }
    }
    return paths.filter { $0.hasSuffix(ending) }.sorted().map { "\(folder)/\($0)" }
}

func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
}

/// Returns the text of a file, empty if it can't be read.
func text(of path: String) -> String {
    (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
}
