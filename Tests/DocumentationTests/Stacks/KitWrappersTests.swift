import Foundation
import ParityTrait
import StartSmall
import StartSmallTesting
import Testing

/// Declarations of all wrappers, and the checks of all of their pairs and of many stacks.
struct KitWrappersTests {
    private static let modules = files(in: "Sources", ending: ".swift")

    /// The names of the public functions and properties that return a wrapper, in `extension Wrapper`.
    private static func names(in text: String) -> [String] {
        let function =
            /public static (?:func|var|let) (\w+)(?:<[^(]*>)?(?:\((?:[^{}]|\{[^{}]*\})*?\) -> Wrapper|: Wrapper)\b/
        return text.matches(of: function).map { String($0.output.1) }
    }

    @Test("each public function that returns a wrapper is in the list of all wrappers")
    func complete() {
        // `.streaming { … }` makes wrappers of an app's own, as `Wrapper { … }` does.
        let inSources = Self.modules.flatMap { Self.names(in: text(of: $0)) }.filter { $0 != "streaming" }
        #expect(inSources.sorted() == KitWrapper.all.filter { !$0.isVariant }.map(\.name).sorted())
    }

    @Test("a function that returns a wrapper is found, with any parameters")
    func found() {
        #expect(Self.names(in: "public static func a() -> Wrapper {") == ["a"])
        #expect(
            Self.names(in: "public static func b<T: C<D>>(\n  _ c: @escaping () -> Int = { 1 }\n) -> Wrapper {") == [
                "b"
            ]
        )
        #expect(Self.names(in: "static func c() -> Wrapper {\n public static func d() -> Connector {") == [])
    }

    @Test("each wrapper declares its properties under its own name", arguments: KitWrapper.all)
    func declared(wrapper: KitWrapper) throws {
        let declaration = try #require(wrapper.wrapper.declaration)
        #expect(declaration.name == wrapper.name)
        let drawn = Connector.stub(.status(.ok)).wrapped(by: wrapper.wrapper).description
        #expect(drawn == "1. \(declaration)\nstub")
    }

    @Test("each declaration is true", .exhaustive, arguments: KitWrapper.all)
    func laws(wrapper: KitWrapper) async {
        defer { removeCassettes(of: wrapper) }
        let violations = await WrapperLaws(atMostCalls: 5) { wrapper.make() }.violations()
        let ofDeclarations = violations.filter {
            $0.law.hasPrefix("the declaration is true") || $0.law.hasPrefix("a dry run")
        }
        #expect(ofDeclarations == [])
    }

    @Test("the bodies of streams end with those inside of each wrapper", arguments: KitWrapper.all)
    func bodies(wrapper: KitWrapper) async {
        defer { removeCassettes(of: wrapper) }
        #expect(await WrapperLaws(unchanged: []) { wrapper.make() }.endsOfBodies() == [])
    }

    private func removeCassettes(of wrapper: KitWrapper) {
        let (folder, start) = (FileManager.default.temporaryDirectory, KitWrapper.cassettes(of: wrapper.name))
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
        for name in names where name.hasPrefix(start) {
            try? FileManager.default.removeItem(at: folder.appending(path: name))
        }
    }

    @Test("a wrapper alone is right, and of two wrappers, one order is right unless no order is")
    func pairs() {
        for first in KitWrapper.all {
            #expect(check([first]) == [], "\(first.testDescription)")
            for second in KitWrapper.all {
                let (findings, exchanged) = (check([first, second]), check([second, first]))
                let pair = "\(first.testDescription), \(second.testDescription)"
                for finding in findings {
                    #expect((finding.betterOrder == nil) == !exchanged.isEmpty, "\(pair): \(finding)")
                }
            }
        }
    }

    @Test("in a better order, the finding is gone, and there is no new one", arguments: 0..<20 as Range<UInt64>)
    func better(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<(isExhaustive ? 20 : 3) {
            var names: Set<String> = []
            let stack = KitWrapper.all.shuffled(using: &random).filter { names.insert($0.name).inserted }.prefix(8)
            let findings = check(Array(stack))
            for finding in findings {
                guard let better = finding.betterOrder else { continue }
                let ordered = better.compactMap { name in stack.first { $0.name == name } }
                #expect(ordered.count == stack.count)
                let then = check(ordered)
                #expect(then.count < findings.count, "\(stack.map(\.name)): \(finding) → \(then)")
                let isGone = { (other: OrderFinding) in
                    (other.rule, other.outer.name, other.inner.name)
                        != (finding.rule, finding.outer.name, finding.inner.name)
                }
                #expect(then.allSatisfy(isGone))
            }
        }
    }

    private func check(_ wrappers: [KitWrapper]) -> [OrderFinding] {
        Connector.stub(.status(.ok)).wrapped(by: wrappers.map(\.wrapper)).check()
    }
}

/// A generator with a seed, so that a failure can be repeated (xorshift64*).
private struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
