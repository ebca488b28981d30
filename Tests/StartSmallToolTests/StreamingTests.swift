import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

/// Tests of payloads that arrive in parts over real sockets.
@Suite(.timeLimit(.minutes(1))) struct StreamingTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: "

    @Test("each part is written before the server sends the next one", arguments: [[], [Console.Stream.output]])
    func parts(_ terminals: Set<Console.Stream>) async throws {
        let isSeen = Latch()
        var run = ToolRun(terminals: terminals)
        run.written = {
            isSeen.open()
            return nil
        }
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("\(Self.head)text/event-stream\r\nContent-Length: 20\r\n\r\ndata: 1\n\n\n"),
            .wait(isSeen), .send("data: 2\n\n\n"),
        ]
        let exit = try await LoopbackServer.playing({ _ in steps }) { [run] server in
            await run("127.0.0.1:\(server.port)")
        }
        #expect(exit == .success)
        #expect(run.text == "data: 1\n\n\ndata: 2\n\n\n")
        #expect(run.output.elements.count > 1)
    }

    @Test(
        "incomplete JSON is shown as far as it arrived",
        arguments: [([], #"{"a":[1,"#), ([.output], "{\"a\":[1,\n")] as [(Set<Console.Stream>, String)]
    )
    func cut(_ terminals: Set<Console.Stream>, _ expected: String) async throws {
        let run = ToolRun(terminals: terminals)
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("\(Self.head)application/json\r\nContent-Length: 99\r\n\r\n{\"a\":[1,"), .close,
        ]
        let exit = try await LoopbackServer.playing({ _ in steps }) { await run(":\($0.port)") }
        #expect(exit == .connectionError)
        #expect(run.text == expected)
        #expect(run.errorText.hasPrefix("no response: connectionLost"))
    }

    @Test("a call that has written to a pipe is not retried")
    func noSecondCopy() async throws {
        let run = ToolRun()
        let steps: [ServerScriptStep] = [
            .receiveRequest, .send("\(Self.head)text/plain\r\nContent-Length: 99\r\n\r\nhello"), .close,
        ]
        let server = try LoopbackServer.start(script: { _ in steps })
        #expect(await run("127.0.0.1:\(server.port)", "--retry", "3") == .connectionError)
        server.stop()
        #expect(run.text == "hello")
        #expect(server.received.elements.count == 1)
    }

    @Test("a closed pipe ends the tool without a message, with the code of SIGPIPE")
    func closedPipe() async throws {
        var run = ToolRun()
        run.written = { StreamError(code: EPIPE) }
        let exit = try await LoopbackServer.serving(.stub(.text("hello"))) { [run] server in
            await run("127.0.0.1:\(server.port)", "--retry", "3")
        }
        #expect(exit == .closedPipe)
        #expect(run.errorText == "")
        #expect(run.output.elements.count == 1)
    }

    @Test("a full disk is an output error", arguments: [["a.example"], ["a.example", "--as", "curl"], ["--help"]])
    func fullDisk(_ arguments: [String]) async {
        var run = ToolRun()
        run.written = { StreamError(code: ENOSPC) }
        let console = Console(
            write: { _ throws(StreamError) in throw StreamError(code: ENOSPC) },
            writeError: { [errors = run.errors] in errors.append($0) }
        )
        #expect(await StartSmallTool.run(arguments, console, via: .stub(.text("hello"))) == .outputError)
        #expect(run.errorText == "start-small: standard output: No space left on device\n")
    }

    @Test("-o accepts devices: /dev/null discards a payload, /dev/full is an error")
    func devices() async {
        let run = ToolRun()
        #expect(await run("a.example", "-o", "/dev/null", via: .stub(.text("hello"))) == .success)
        #expect(run.text == "" && run.errorText == "")
        #if os(Linux) && !APPLE_BRANCH
            #expect(await run("a.example", "-o", "/dev/full", via: .stub(.text("hello"))) == .outputError)
        #endif
    }

    @Test("writing to a closed stream is an error")
    func closedDescriptor() {
        #expect(throws: StreamError(code: EBADF)) { try StandardStream.write(Data("a".utf8), to: 1_000_000) }
    }
}
