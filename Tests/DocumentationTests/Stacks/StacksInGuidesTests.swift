import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The check of all stacks in the guides, read from their texts.
struct StacksInGuidesTests {
    /// A list of wrappers in a guide: `.wrapped(by: …)`.
    private struct Stack: Sendable, CustomTestStringConvertible {
        let place: String
        let wrappers: [String]

        /// Whether the list is around `Connector.standard`.
        let isAroundStandard: Bool

        /// Whether the list is around the engine inside of `Connector.standard`.
        let isInsideStandard: Bool

        var testDescription: String { "\(place): \(wrappers.joined(separator: ", "))" }

        /// The names of the wrappers that the kit has.
        var names: [String] {
            wrappers.compactMap { $0.firstMatch(of: /^\.(\w+)/).map { String($0.output.1) } }
        }
    }

    private static let stacks = Markdown.all.flatMap { markdown in
        markdown.blocks.filter { $0.language == "swift" }.flatMap(stacks)
    }

    private static func stacks(in block: Block) -> [Stack] {
        let text = block.lines.joined(separator: "\n")
        return text.ranges(of: "wrapped(").compactMap { range in
            let before = text[..<range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
            // A guide that shows a wrong order says so.
            guard !before.contains("let wrong"), let list = arguments(of: text[range.upperBound...]) else { return nil }
            let statement = before.contains(".standard") ? before : ""
            let opened = statement.count { $0 == "(" } - statement.count { $0 == ")" }
            return Stack(
                place: "\(block.file):\(block.line)",
                wrappers: list,
                isAroundStandard: !statement.isEmpty && opened <= 0,
                isInsideStandard: statement.contains(".standard(over:") && opened > 0
            )
        }
    }

    /// Returns the arguments up to the closing parenthesis, without labels.
    private static func arguments(of text: Substring) -> [String]? {
        var (depth, list, argument) = (0, [String](), "")
        for character in text {
            if depth == 0, character == ")" {
                list.append(argument)
                return list.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.map {
                    $0.hasPrefix("by:") ? $0.dropFirst(3).trimmingCharacters(in: .whitespaces) : $0
                }
            }
            if "([{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            if depth == 0, character == "," {
                list.append(argument)
                argument = ""
            } else {
                argument.append(character)
            }
        }
        return nil
    }

    /// Returns a wrapper for the text of its use; nil for a custom one.
    private static func wrapper(_ text: String) -> Wrapper? {
        guard let name = text.firstMatch(of: /^\.(\w+)/).map({ String($0.output.1) }) else { return nil }
        let isScoped = text.contains("to: .origin(")
        let scope: CredentialScope = isScoped ? .origin(URL(string: "https://api.example.com")!) : .anyOrigin
        switch name {
        case "bearer": return .bearer("t", to: scope)
        case "basic": return .basic(user: "u", password: "p", to: scope)
        case "apiKey": return .apiKey("k", in: .header("X-API-Key"), to: scope)
        case "headers":
            let names = text.matches(of: /"([\w-]+)":/).map { ($0.output.1, "a") }
            let fields = names.map { HTTPHeaders.Field(name: String($0), value: $1) }
            return text.contains("{") ? .headers { _ in [:] } : .headers(HTTPHeaders(fields))
        default: return KitWrapper.all.first { $0.name == name }?.wrapper
        }
    }

    private static func connector(_ stack: Stack) -> Connector {
        let wrappers = stack.wrappers.map { wrapper($0) ?? Wrapper { input, next in await next(input) } }
        var connector = Connector.stub(.status(.ok))
        if stack.isInsideStandard {
            return .standard(over: connector.wrapped(by: wrappers))
        } else if stack.isAroundStandard {
            connector = Connector.standard(over: connector)
        }
        return connector.wrapped(by: wrappers)
    }

    @Test("no stack in the guides has a finding", arguments: stacks)
    private func right(stack: Stack) {
        let connector = Self.connector(stack)
        #expect(connector.check() == [], "\(stack.testDescription)\n\(connector)")
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
        let found = Self.stacks(in: block).map { Self.connector($0).check().map(\.inner) }
        #expect(found == [[inner]])
    }

    @Test("the stacks are found, and most of their wrappers known")
    func found() {
        let all = Self.stacks.flatMap(\.wrappers)
        let known = all.filter { Self.wrapper($0) != nil }
        #expect(Self.stacks.count > 30)
        #expect(known.count * 10 > all.count * 6, "\(known.count) of \(all.count)")
        #expect(Self.stacks.contains { $0.isAroundStandard })
        #expect(Self.stacks.contains { $0.isInsideStandard })
    }
}
