import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// The names of all wrappers, the checks of all of their pairs, and laws.
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
        // `.streaming { … }` and `.all(…)` make wrappers of an app's own, as `Wrapper { … }` does.
        let inSources = Self.modules.flatMap { Self.names(in: text(of: $0)) }.filter {
            !["all", "streaming"].contains($0)
        }
        #expect(inSources.sorted() == KitWrapper.all.filter { !$0.isVariant }.map(\.name).sorted())
    }

    /// Of two overloads, one with an array, the compiler reports the wrong type for a wrapper that it does not find.
    @Test("a connector is wrapped by one function")
    func oneForm() {
        let forms = files(in: "Sources/Core/StartSmallCore", ending: ".swift").flatMap {
            text(of: $0).split(separator: "\n")
        }
        .filter { $0.contains("public func wrapped(") }
        #expect(forms == ["    public func wrapped(by wrappers: Wrapper...) -> Connector {"])
    }

    @Test("each wrapper has the name of its function, and may add what tells it apart", arguments: KitWrapper.all)
    func named(wrapper: KitWrapper) throws {
        let name = try #require(wrapper.wrapper.name)
        #expect(name == wrapper.name || name.hasPrefix("\(wrapper.name)("))
        #expect(Connector.stub(.status(.ok)).wrapped(by: wrapper.wrapper).description == "1. \(name)\nstub")
    }

    @Test("each name in the rules on orders is that of a wrapper")
    func known() {
        let names = OrderRule.all.reduce(into: Set()) { $0.formUnion($1.outer.union($1.inner)) }
        #expect(names.subtracting(KitWrapper.all.compactMap(\.wrapper.name)) == [])
    }

    @Test("a dry run sends nothing", arguments: KitWrapper.all)
    func dryRun(wrapper: KitWrapper) async {
        defer { removeCassettes(of: wrapper) }
        #expect(await WrapperLaws { wrapper.make() }.dryRun() == [])
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

    @Test("a wrapper alone is right, and of two wrappers, one order is right")
    func pairs() {
        for first in KitWrapper.all {
            #expect(check([first]) == [], "\(first.testDescription)")
            for second in KitWrapper.all where !check([first, second]).isEmpty {
                #expect(check([second, first]) == [], "\(first.testDescription), \(second.testDescription)")
            }
        }
    }

    private func check(_ wrappers: [KitWrapper]) -> [OrderFinding] {
        Connector.stub(.status(.ok)).wrapped(by: .all(wrappers.map(\.wrapper))).check()
    }
}
