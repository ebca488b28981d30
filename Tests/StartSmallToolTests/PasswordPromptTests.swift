import Dispatch
import Foundation
import StartSmall
import Testing

@testable import StartSmallTool

#if os(Linux) && !APPLE_BRANCH
    /// Tests of the prompt on a pseudoterminal.
    @Suite(.timeLimit(.minutes(1))) struct PasswordPromptTests {
        /// Returns the password that is read, all that the terminal shows, and whether it echoes afterwards.
        private func answer(_ typed: [UInt8]) async throws -> (password: String?, shown: String, echoes: Bool) {
            let (controller, terminal) = try Self.pseudoterminal()
            defer { [controller, terminal].forEach { close($0) } }
            async let password = withCheckedContinuation { done in
                DispatchQueue(label: "terminal").async {
                    done.resume(returning: PasswordPrompt.read("password\n: ", from: terminal))
                }
            }
            let shown = await withCheckedContinuation { done in
                DispatchQueue(label: "controller").async {
                    // Bytes that are typed before the prompt are dropped.
                    var shown = Self.read(controller, until: ": ")
                    try? StandardStream.write(Data(typed), to: controller)
                    shown += Self.read(controller, until: "\n")
                    done.resume(returning: shown)
                }
            }
            let read = await password
            var settings = termios()
            tcgetattr(terminal, &settings)
            return (read, shown, settings.c_lflag & tcflag_t(ECHO) != 0)
        }

        private static func pseudoterminal() throws -> (controller: Int32, terminal: Int32) {
            var (controller, terminal): (Int32, Int32) = (-1, -1)
            guard openpty(&controller, &terminal, nil, nil, nil) == 0 else { throw StreamError(code: errno) }
            return (controller, terminal)
        }

        private static func read(_ descriptor: Int32, until end: String) -> String {
            var (text, byte) = ("", UInt8(0))
            while !text.utf8.reversed().starts(with: end.utf8.reversed()), Foundation.read(descriptor, &byte, 1) == 1 {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
            return text
        }

        @Test(
            "a password is read without being shown, and can be corrected or abandoned",
            arguments: [
                ("hunter2\n", "hunter2"), ("hunter2\r", "hunter2"), ("\n", ""), ("é:é\u{7F}è\n", "é:è"),
                ("\u{8}a\u{7F}\u{7F}b\n", "b"), ("no\u{15}a\u{1A}b\n", "ab"),
                ("hunter2\u{3}", nil), ("hunter2\u{4}", nil),
            ] as [(String, String?)]
        )
        func password(_ typed: String, _ password: String?) async throws {
            let answer = try await answer(Array(typed.utf8))
            #expect(answer.password == password)
            #expect(answer.shown == "password\\u000a: \r\n")
            #expect(answer.echoes)
        }

        @Test("a prompt ends when its task is cancelled, and the terminal echoes again")
        func cancelled() async throws {
            let (controller, terminal) = try Self.pseudoterminal()
            defer { [controller, terminal].forEach { close($0) } }
            let asking = Task { PasswordPrompt.read("password: ", from: terminal) }
            await withCheckedContinuation { done in
                DispatchQueue(label: "controller").async {
                    _ = Self.read(controller, until: ": ")
                    done.resume()
                }
            }
            asking.cancel()
            #expect(await asking.value == nil)
            var settings = termios()
            tcgetattr(terminal, &settings)
            #expect(settings.c_lflag & tcflag_t(ECHO) != 0)
        }

        @Test("reading a pipe that stays open ends when its task is cancelled")
        func pipe() async throws {
            let pipe = Pipe()
            let reading = Task {
                Either { () throws(StreamError) in
                    try StandardStream.read(pipe.fileHandleForReading.fileDescriptor)
                }
            }
            reading.cancel()
            #expect(await reading.value.left == StreamError(code: ECANCELED))
        }

        @Test("a descriptor that is no terminal is not read")
        func noTerminal() {
            let null = open("/dev/null", O_RDWR | O_CLOEXEC)
            defer { close(null) }
            #expect(PasswordPrompt.read("password: ", from: null) == nil)
        }
    }
#endif
