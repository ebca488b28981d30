import Foundation
import Testing

/// A wrapper of an app can do what a wrapper of the kit can: both use the public API of the core.
struct PackageNamesTests {
    /// A declaration by a keyword, or of a parameter, a member of a tuple or a key path.
    private let declaration = /(?:class|struct|enum|protocol|func|var|let|typealias|case) (\w+)|(\w+):/
    private let ofPackage = /\bpackage\b[^{=(]* (?:class|struct|enum|protocol|func|var|let|typealias) (\w+)/

    /// The lines of Swift in a folder, without comments.
    private func lines(in folder: String) -> [Substring] {
        files(in: folder, ending: ".swift").flatMap { file in
            text(of: file).split(separator: "\n").map {
                $0.prefix(upTo: $0.firstRange(of: "//")?.lowerBound ?? $0.endIndex)
            }
        }
    }

    private func names(declaredIn lines: [Substring]) -> Set<Substring> {
        Set(lines.flatMap { $0.matches(of: declaration).compactMap { $0.1 ?? $0.2 } })
    }

    @Test("StartSmall uses no name that the core declares for the package")
    func packageNames() {
        let core = lines(in: "Sources/Core/StartSmallCore")
        let (package, other) = (core.filter { $0.contains(/\bpackage\b/) }, core.filter { $0.contains(/\bpublic\b/) })
        let wrappers = lines(in: "Sources/StartSmall")
        let support = lines(in: "Sources/Core/StartSmallSupport")
        // A name that StartSmall may have from elsewhere says nothing.
        let ambiguous = names(declaredIn: wrappers).union(names(declaredIn: support)).union(names(declaredIn: other))
        let names = Set(package.compactMap { $0.firstMatch(of: ofPackage)?.1 }).subtracting(ambiguous)
        #expect(names.count > 40)
        let used = Set(wrappers.flatMap { $0.matches(of: /\w+/).map(\.0) })
        #expect(used.intersection(names).sorted() == [])
    }
}
