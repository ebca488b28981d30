import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

@Suite(.timeLimit(.minutes(1))) struct DownloadTests {
    private func inFolder(_ body: (ToolRun) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var run = ToolRun()
        run.folder = folder
        try await body(run)
    }

    private func names(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(
        "the file's name comes from the server or the URL, and never leaves the folder",
        arguments: [
            ("a.example/x/report.pdf", nil, "report.pdf"), ("a.example/a%2Fb%20c", nil, "b c"),
            ("a.example", nil, "download"), ("a.example/..%2f..", nil, "download"),
            ("a.example/x", "attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("a.example/x", "attachment; filename=\".bashrc\"", "bashrc"),
            ("a.example/x", "attachment; filename=\"..\"", "x"),
            ("a.example/x", "attachment; filename*=UTF-8''%E6%97%A5.txt", "日.txt"),
        ] as [(String, String?, String)]
    )
    func name(_ url: String, _ disposition: String?, _ name: String) async throws {
        try await inFolder { run in
            let headers: HTTPHeaders = disposition.map { ["Content-Disposition": $0] } ?? [:]
            #expect(await run("-O", url, via: .stub(.text("hello", headers: headers))) == .success)
            let files = try names(in: run.folder)
            #expect(files == [name])
            #expect(run.text == name + "\n")
        }
    }

    @Test("an existing file is not overwritten")
    func existing() async throws {
        try await inFolder { run in
            for text in ["first", "second", "third"] {
                _ = await run("get", "a.example/a.tar.gz", "--download", via: .stub(.text(text)))
            }
            let files = try names(in: run.folder)
            #expect(files == ["a.tar (2).gz", "a.tar (3).gz", "a.tar.gz"])
            let first = try String(contentsOf: run.folder.appendingPathComponent("a.tar.gz"), encoding: .utf8)
            #expect(first == "first")
        }
    }

    @Test("a dangling symbolic link is not followed")
    func danglingLink() async throws {
        try await inFolder { run in
            let link = run.folder.appendingPathComponent("x")
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "elsewhere")
            #expect(await run("-O", "a.example/x", via: .stub(.text("hello"))) == .success)
            let files = try names(in: run.folder)
            #expect(files == ["x", "x (2)"])
        }
    }

    @Test("the next download removes what killed ones left an hour ago, and nothing else", arguments: [nil, "x"])
    func leftovers(_ name: String?) async throws {
        try await inFolder { run in
            let (first, second, young) = (LeftoverFiles.temporaryName(), LeftoverFiles.temporaryName(), ".x.2.part")
            let old = name == nil ? [".\(first).1f.part", second] : [".x.1.part", ".x.89abcdef.part"]
            let others = [
                ".start-small-notes", ".start-small-token.1.part", "..start-small-x.1.part",
                ".x.part", ".x.xyz.part", ".x.123456789.part", ".y.1.part", "x.1.part", ".start-small", ".x.1.part.gz",
            ]
            for file in old + others + [young] {
                let url = run.folder.appending(path: file)
                try Data().write(to: url)
                let date = Date(timeIntervalSinceNow: file == young ? -3500 : -3700)
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
            }
            let target = name.map { ["-o", run.folder.appending(path: $0).path] } ?? ["-O"]
            let console = Console(write: { _ in }, writeError: { _ in }, folder: run.folder)
            #expect(await StartSmallTool.run(["a.example/x"] + target, console, via: .stub(.text("hello"))) == .success)
            #expect(try names(in: run.folder) == (others + [young, "x"]).sorted())
        }
    }

    @Test("a failed or refused download leaves no file, and its payload is shown")
    func failure() async throws {
        try await inFolder { run in
            #expect(await run("-O", "a.example/x", via: .stub(.text("no", status: .notFound))) == .transformError)
            let cause = ConnectionError.Cause(domain: "stub", code: 7, text: "refused")
            #expect(
                await run("-O", "a.example/x", via: .stub(.noResponse(.connectionRefused(cause)))) == .connectionError
            )
            let files = try names(in: run.folder)
            #expect(files == [])
            #expect(run.text == "no")
        }
    }

    @Test("an interrupted download is resumed by --retry, and written once")
    func resume() async throws {
        try await inFolder { run in
            let head = "Content-Type: text/plain\r\nETag: \"1\"\r\nContent-Length: "
            let scripts: [[ServerScriptStep]] = [
                [.receiveRequest, .send("HTTP/1.1 200 OK\r\n\(head)10\r\n\r\nhello"), .close],
                [
                    .receiveRequest,
                    .send("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 5-9/10\r\n\(head)5\r\n\r\nworld"),
                ],
            ]
            let server = try LoopbackServer.start(script: { scripts[min($0, 1)] })
            #expect(await run("-O", ":\(server.port)/x", "--retry", "1") == .success)
            server.stop()
            let text = try String(contentsOf: run.folder.appendingPathComponent("x"), encoding: .utf8)
            #expect(text == "helloworld")
            let second = server.received.elements.last.map { String(decoding: $0, as: UTF8.self) }
            #expect(second?.contains("Range: bytes=5-\r\n") == true)
        }
    }
}
