import Foundation
import Testing

/// The size of each part of the project beside its budget.
///
/// Who exceeds a budget makes something smaller, or raises the budget in the same commit, with the reason.
struct BudgetTests {
    /// The lines of Swift that the folders may have, with comments and imports.
    private static let lines: KeyValuePairs = [
        // With the imports of modules that were parts of the core, and what a caller chooses for one request.
        "Sources": 50_750,
        "Sources/Core/StartSmallFoundation": 100,
        // With the marks of bytes of header fields, the labels of charsets, and the encoding of forms.
        "Sources/Core/StartSmallSupport": 2_500,
        "Sources/Core/StartSmallTemplates": 650,
        // With the options of a request, and the public API that lets an app make each wrapper of StartSmall.
        "Sources/Core/StartSmallCore": 7_200,
        // With the credentials of a request, and its `Host`.
        "Sources/Core/StartSmallHeaders": 1_400,
        "Sources/Core/StartSmallRetry": 500,
        // With addresses, and the connector that spreads calls over several engines.
        "Sources/Engines/StartSmallEngines": 2_050,
        "Sources/Engines/StartSmallCurl": 3_100,
        // With the redirections that a session follows itself.
        "Sources/Engines/StartSmallURLSession": 1_650,
        // With the endpoints in one line.
        "Sources/StartSmall": 3_150,
        "Sources/Products/StartSmallStreams": 2_600,
        "Sources/Products/StartSmallAuth": 4_350,
        "Sources/Products/StartSmallForms": 1_500,
        "Sources/Products/StartSmallDownloads": 800,
        "Sources/Products/StartSmallJSON": 2_300,
        "Sources/Products/StartSmallDiagnostics": 3_500,
        // With the search for secrets that stay in texts of any syntax, in linear time.
        "Sources/Products/StartSmallTesting": 5_550,
        "Sources/Products/StartSmallTestTraits": 250,
        // With the URLs of stored responses, and requests whose options change the response.
        "Sources/Products/StartSmallCaching": 2_600,
        "Sources/Products/StartSmallCookies": 1_550,
        "Sources/Products/StartSmallMetrics": 550,
        "Sources/Products/StartSmallKit": 50,
        "Sources/Products/StartSmallModels": 550,
        "Sources/Products/StartSmallResilience": 1_750,
        "Sources/Examples/GitHubAPI": 250,
        "Sources/Examples/QiitaAPI": 250,
        "Sources/Examples/StartSmallExamples": 650,
        // With a table, a scripted server or a law for each of the 26 defects that public reports and an attack found,
        // and the laws of the URLs of responses and of the options of requests.
        "Tests": 70_011,
    ]

    /// The lines of C that the engine for Linux may have.
    private static let linesOfC = 3_650

    /// The number of lines above which a file is not read in one sitting.
    private static let longFile = 400

    /// The longer files, each of which is one idea that would be harder to follow in two files.
    private static let longFiles: Set = [
        "Sources/Core/StartSmallCore/Message/Response/ResponseBody.swift"
    ]

    @Test("each part has at most the lines of its budget")
    func budgets() {
        var table = "lines / budget, files, types\n"
        for (folder, budget) in Self.lines {
            let size = Size(of: files(in: folder, ending: ".swift"))
            table += "\(folder): \(size.lines) / \(budget), \(size.files), \(size.types)\n"
            #expect(size.lines <= budget, "\(folder)")
        }
        let c = Size(of: files(in: "Sources", ending: ".c") + files(in: "Sources", ending: ".h"))
        print(table + "C: \(c.lines) / \(Self.linesOfC), \(c.files)")
        #expect(c.lines <= Self.linesOfC)
    }

    @Test("each module has a budget")
    func modules() throws {
        let swift = files(in: "Sources", ending: ".swift")
        let folders = Self.lines.map { "\($0.key)/" }.filter { $0 != "Sources/" }
        #expect(swift.filter { file in !folders.contains { file.hasPrefix($0) } }.isEmpty)
    }

    @Test("a file can be read in one sitting")
    func longFiles() {
        let long = files(in: "Sources", ending: ".swift").filter { Size(of: [$0]).lines > Self.longFile }
        #expect(Set(long) == Self.longFiles)
    }
}

/// The number of lines, files and types of some files.
private struct Size {
    private(set) var lines = 0
    private(set) var types = 0
    let files: Int

    private static let modifiers = "public|package|internal|fileprivate|private|final|indirect|nonisolated|@frozen"
    private static let line = try? NSRegularExpression(pattern: "\n")
    private static let type = try? NSRegularExpression(
        pattern: "^ *(?:(?:\(modifiers)) )*(?:struct|class|enum|actor|protocol) [A-Z]",
        options: .anchorsMatchLines
    )

    init(of files: [String]) {
        self.files = files.count
        for file in files {
            let content = text(of: file)
            let all = NSRange(location: 0, length: content.utf16.count)
            lines += Self.line?.numberOfMatches(in: content, range: all) ?? 0
            types += Self.type?.numberOfMatches(in: content, range: all) ?? 0
        }
    }
}
