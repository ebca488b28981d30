import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The check of all stacks in the guides, by the names of the wrappers in their texts.
struct StacksInGuidesTests {
    /// A list of wrappers in a guide: `.wrapped(by: …)`.
    private struct Stack: Sendable, CustomTestStringConvertible {
        let place: String

        /// The names from the outermost wrapper to the innermost one, with those of `Connector.standard`.
        let names: [String]

        var testDescription: String { "\(place): \(names.joined(separator: ", "))" }

        var findings: [OrderFinding] {
            let wrappers = names.map { Wrapper($0) { input, next in await next(input) } }
            return Connector.stub(.status(.ok)).wrapped(by: wrappers).check()
        }
    }

    private static let stacks = Markdown.all.flatMap { markdown in
        markdown.blocks.filter { $0.language == "swift" }.flatMap(stacks)
    }

    private static let standard = Connector.standard(over: .stub(.status(.ok))).wrappers

    private static func stacks(in block: Block) -> [Stack] {
        let text = block.lines.joined(separator: "\n")
        return text.ranges(of: "wrapped(").compactMap { range in
            let before = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            // A guide that shows a wrong order says so.
            guard !before.contains("let wrong") else { return nil }
            let names = names(in: text[range.upperBound...])
            let place = "\(block.file):\(block.line)"
            guard before.contains(".standard") else { return Stack(place: place, names: names) }
            let isInside = before.count { $0 == "(" } > before.count { $0 == ")" }
            return Stack(place: place, names: isInside ? standard + names : names + standard)
        }
    }

    /// Returns the names of the wrappers up to the closing parenthesis; one that is not the kit's has an empty name.
    private static func names(in text: Substring) -> [String] {
        var (depth, arguments) = (0, [""])
        for character in text {
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth < 0 { break }
            if depth == 0, character == "," {
                arguments.append("")
            } else {
                arguments[arguments.count - 1].append(character)
            }
        }
        return arguments.map { argument in
            guard let name = argument.firstMatch(of: /^\s*(?:by:)?\s*\.(\w+)/)?.output.1 else { return "" }
            if argument.contains("to: .origin(") { return "\(name)(to:)" }
            return name == "headers" && argument.contains("Authorization") ? "headers(credentials)" : String(name)
        }
    }

    @Test("no stack in the guides has a finding", arguments: stacks)
    private func right(stack: Stack) {
        #expect(stack.findings == [], "\(stack.testDescription)")
    }

    @Test(
        "a wrong order in a guide is detected",
        arguments: [
            ("let a = stub.wrapped(by: .retry(), .idempotencyKey())", "idempotencyKey"),
            ("let a = Connector.standard.wrapped(by: .cache(in: store))", "redirect"),
            ("let a = Connector.standard(over: engine.wrapped(by: .bearer(token)))", "bearer"),
            ("    .wrapped(\n  by: .limitConcurrency(4),\n  .retry()\n)", "retry"),
        ]
    )
    func detected(code: String, inner: String) {
        let block = Block(file: "", line: 1, language: "swift", lines: code.components(separatedBy: "\n"))
        #expect(Self.stacks(in: block).map { $0.findings.map(\.inner) } == [[inner]])
    }

    @Test("the stacks are found, and most of their wrappers known")
    func found() {
        let all = Self.stacks.flatMap(\.names)
        #expect(Self.stacks.count > 30)
        #expect(all.count { !$0.isEmpty } * 10 > all.count * 6)
    }
}
