import Foundation
import GitHubAPI
import StartSmall
import StartSmallTesting
import Testing

@testable import GitHubBrowser

struct ArchiveScreenTests {
    private let fake = FakeTerminal()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "GitHubBrowser-\(UUID())")

    /// Downloads from a stub, and returns the file's content; nil if the file does not exist.
    private func download(via gitHub: Connector) async throws -> (status: Int32, content: String?) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a.tar.gz")
        let arguments = ["archive", "octocat/Hello-World", file.path(percentEncoded: false)]
        let status = await GitHubBrowser.run(arguments, fake.terminal, via: gitHub)
        return (status, try? String(contentsOf: file, encoding: .utf8))
    }

    @Test("the archive is in the file, and the progress line is removed at the end")
    func downloads() async throws {
        let gitHub = Connector { input, context in
            context.report(.progress(TransferProgress(received: .init(bytes: 1_500_000, total: 3_000_000))))
            return .text("all files")
        }
        let (status, content) = try await download(via: gitHub)
        #expect(status == 0)
        #expect(content == "all files")
        #expect(fake.told == ["\r\u{1B}[2K1.5 of 3.0 MB, 50 %", "\r\u{1B}[2K"])
        #expect(fake.shown.hasPrefix("saved: ") && fake.shown.hasSuffix("a.tar.gz\n"))
    }

    @Test("an error creates no file, and GitHub's message is shown")
    func missing() async throws {
        let gitHub = Connector.stub(.json(#"{"message": "Not Found"}"#, status: .notFound))
        let (status, content) = try await download(via: gitHub)
        #expect(status == 1)
        #expect(content == nil)
        #expect(fake.told.last == "GitHub says: Not Found\n")
    }

    @Test("the token is sent to GitHub only, although the archive is at another server")
    func redirects() async throws {
        let sent = Recorder<Input>()
        let codeload = "https://codeload.github.com/octocat/Hello-World/legacy.tar.gz/refs/heads/master"
        let engine = Connector.stub(
            sequence: [.status(.found, headers: ["Location": codeload]), .text("all files")],
            recording: sent
        )
        let gitHub = Connector.gitHub(token: "t0k3n", over: engine.wrapped(by: .redirect()))
        let (_, content) = try await download(via: gitHub)
        #expect(content == "all files")
        #expect(sent.elements.map(\.url.host) == ["api.github.com", "codeload.github.com"])
        #expect(sent.elements.map { $0.headers["Authorization"] } == ["Bearer t0k3n", nil])
    }
}
