import Foundation
import Testing

/// Tests of the layers in Tests/Layers/layers.txt by the names of types; `Tests/Layers/run.sh` checks all names with
/// the compiler.
struct LayersTests {
    private static let layers = text(of: "Tests/Layers/layers.txt").split(separator: "\n")
        .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").map(String.init) }

    private static let sources = files(in: "Sources/StartSmall", ending: ".swift").map(Source.init)

    private struct Source {
        let path: String
        let code: String
        let layer: Int?

        init(_ path: String) {
            self.path = path
            let entry = path.split(separator: "/")[2]
            layer = LayersTests.layers.firstIndex { $0.contains { $0 == entry } }
            let lines = text(of: path).components(separatedBy: "\n").filter {
                !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//")
            }
            code = lines.joined(separator: "\n").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "")
        }

        /// The top-level types, which the whole module can name without a qualifier.
        var types: Set<String> {
            let declaration =
                #/
                (?m)^(?:@\w+\ |public\ |package\ |final\ |indirect\ )*(?:struct|enum|class|protocol|typealias)\ (\w+)
                /#
            return Set(code.matches(of: declaration).map { String($0.output.1) })
        }

        var names: Set<String> { Set(code.matches(of: /\b[A-Z]\w+/).map { String($0.output) }) }
    }

    @Test("each file belongs to a layer")
    func complete() {
        #expect(Self.sources.count > 200)
        #expect(Self.sources.filter { $0.layer == nil }.map(\.path) == [])
    }

    @Test("a layer names no type of a layer below it")
    func oneWay() {
        var layerOfType: [String: Int] = [:]
        for source in Self.sources {
            for type in source.types { layerOfType[type] = min(source.layer ?? 0, layerOfType[type] ?? .max) }
        }
        for source in Self.sources {
            let later = source.names.filter { layerOfType[$0] ?? 0 > source.layer ?? 0 }
            #expect(later.sorted() == [], "\(source.path)")
        }
    }
}
