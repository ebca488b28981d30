import Foundation
import StartSmall
import StartSmallTesting
import Testing

@testable import StartSmallTool

#if os(Linux) && !APPLE_BRANCH
    /// Tests of the tool as a process: its streams and signals.
    @Suite(.timeLimit(.minutes(1))) struct ProcessTests {
        @Test("closed standard input is an error, and no socket takes its place")
        func closedInput() async throws {
            let result = try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                try await Shell().run("$TOOL :\(server.port) -d @- <&-")
            }
            #expect(result.output == "no response: malformedPayload: standard input: Bad file descriptor\n")
            #expect(result.status == ExitCode.connectionError.rawValue)
        }

        @Test("a pipe on standard input is the payload, and a closed or empty one is none")
        func pipe() async throws {
            let echo = Connector.stub { input in
                .text(String(decoding: input.methodAndPayload.body ?? Data("none".utf8), as: UTF8.self))
            }
            let result = try await LoopbackServer.serving(echo) { server in
                let tool = "$TOOL post :\(server.port)"
                return try await Shell().run("echo '[1]' | \(tool); \(tool); echo -n | \(tool); \(tool) <&-")
            }
            #expect(result.output == "[1]\nnonenonenone")
        }

        @Test("a download started with nohup survives the end of its terminal")
        func nohup() async throws {
            let isRunning = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"), .open(isRunning),
                .wait(Self.isHungUp), .send("lo"),
            ]
            let result = try await LoopbackServer.playing({ _ in steps }) { server in
                try await Shell().run("trap '' HUP; exec $TOOL :\(server.port)/x") { process in
                    await isRunning.wait()
                    kill(process.processIdentifier, SIGHUP)
                    Self.isHungUp.open()
                }
            }
            #expect(result.output == "hello")
        }

        private static let isHungUp = Latch()

        @Test("closed standard output is an error")
        func closedOutput() async throws {
            let result = try await LoopbackServer.serving(.stub(.text("hello"))) { server in
                try await Shell().run("$TOOL :\(server.port) >&-")
            }
            #expect(result.output == "start-small: standard output: Bad file descriptor\n")
            #expect(result.status == ExitCode.outputError.rawValue)
        }

        @Test("a pipe that its reader closes early ends the tool without a message", arguments: ["", "trap '' PIPE;"])
        func closedPipe(_ disposition: String) async throws {
            let large = Connector.stub(.text(String(repeating: "a", count: 1_000_000)))
            let result = try await LoopbackServer.serving(large) { server in
                try await Shell().run("\(disposition) $TOOL :\(server.port) | head -c 3; exit ${PIPESTATUS[0]}")
            }
            #expect(result.output == "aaa")
            #expect(result.status == ExitCode.closedPipe.rawValue)
        }

        @Test(
            "a download that a signal interrupts leaves no file",
            arguments: ["-O", "-o x"],
            [SIGINT, SIGTERM, SIGHUP]
        )
        func interrupted(_ option: String, _ number: Int32) async throws {
            let isRunning = Latch()
            let steps: [ServerScriptStep] = [
                .receiveRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"), .open(isRunning),
                .waitForClose,
            ]
            let result = try await LoopbackServer.playing({ _ in steps }) { server in
                try await Shell().run("exec $TOOL :\(server.port)/x \(option)") { process in
                    await isRunning.wait()
                    kill(process.processIdentifier, number)
                }
            }
            #expect(result.status == 128 + number)
            #expect(result.files == [])
            #expect(result.output == "no response: cancelled: the task was cancelled\n")
        }
    }
#endif
