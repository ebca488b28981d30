import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

/// Tests of `--cache` and `--cookies`, whose files connect several runs of the tool.
@Suite(.timeLimit(.minutes(1))) struct CacheAndCookiesTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "StartSmallTool-\(UUID())")
    private let sent = Recorder<Input>()

    private func inFolder(_ body: () async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body()
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

    @Test("--cache answers a second run without a request, and --trace says so")
    func cache() async throws {
        let fields: HTTPHeaders = ["Cache-Control": "max-age=60", "Date": HTTPDate.text(Date())]
        let server = Connector.stub(.text("news", headers: fields), recording: sent)
        try await inFolder {
            for _ in 1...2 {
                let run = ToolRun()
                #expect(await run("get", "https://a.test/", "--cache", path("c"), "--trace", via: server) == .success)
                #expect(run.text == "news")
                #expect(run.errorText.contains(" cache StartSmall; "))
            }
            #expect(sent.elements.count == 1)
        }
    }

    @Test("--cache prints a response with another status as without a cache")
    func cachedFailure() async throws {
        let server = Connector.stub(.text("none", status: .notFound, headers: ["Cache-Control": "no-store"]))
        try await inFolder {
            let run = ToolRun()
            #expect(await run("https://a.test/", "--cache", path("c"), "-i", via: server) == .transformError)
            #expect(run.text.contains("404") && run.text.hasSuffix("none"))
        }
    }

    @Test("a cache that can't be written is an error, and nothing is sent")
    func unwritableCache() async throws {
        let server = Connector.stub(.text("hello"), recording: sent)
        try await inFolder {
            try Data().write(to: folder.appending(path: "f"))
            // A directory of the cache is its user's alone.
            let open = folder.appending(path: "open")
            try FileManager.default.createDirectory(at: open, withIntermediateDirectories: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: open.path)
            let link = folder.appending(path: "link").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path(""))
            let paths = [path("f"), path("f/c"), "/dev/null", "/proc/c", path("open"), path("link"), path("link/")]
            for path in paths {
                let run = ToolRun()
                #expect(await run("https://a.test/", "--cache", path, via: server) == .outputError)
                #expect(run.errorText.hasPrefix("start-small: --cache: \(path): "))
            }
            #expect(sent.elements.isEmpty)
        }
    }

    @Test("--cookies sends in a second run what the first one received, and shows no value")
    func cookies() async throws {
        let server = Connector.stub(.text("hello", headers: ["Set-Cookie": "id=hidden; Secure"]), recording: sent)
        try await inFolder {
            for _ in 1...2 {
                let run = ToolRun()
                #expect(await run("https://a.test/", "--cookies", path("k"), "--trace", "-v", via: server) == .success)
                #expect(!run.errorText.contains("hidden"))
            }
            #expect(sent.elements.map { $0.headers["Cookie"] } == [nil, "id=hidden"])
        }
    }

    @Test("cookies that can't be read are an error, nothing is sent, and the file stays")
    func brokenCookies() async throws {
        let server = Connector.stub(.text("hello"), recording: sent)
        try await inFolder {
            try Data("no JSON".utf8).write(to: folder.appending(path: "k"))
            #expect(chmod(path("k"), 0o600) == 0)
            let run = ToolRun()
            #expect(await run("https://a.test/", "--cookies", path("k"), via: server) == .outputError)
            #expect(sent.elements.isEmpty && run.errorText.contains("--cookies"))
            #expect(try Data(contentsOf: folder.appending(path: "k")) == Data("no JSON".utf8))
        }
    }

    @Test("both options need a path", arguments: ["--cache", "--cookies"])
    func empty(_ option: String) async {
        #expect(await ToolRun()("https://a.test/", "\(option)=") == .usage)
    }
}
