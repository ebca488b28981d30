#if os(Linux)
    import Foundation
    import StartSmallTesting
    import TestSupport
    import Testing

    import StartSmall
    import StartSmallForms
    @testable import StartSmallCore

    /// One easy handle serves all successive calls.
    @Suite("handles of the engine for Linux, one request after another", .timeLimit(.minutes(2)))
    struct CurlHandleTests {
        private static let answer = "HTTP/1.1 204 No Content\r\n\r\n"

        private static let kinds: [String: @Sendable (URL) -> HTTPMethodAndPayload] = [
            "GET": { _ in .get },
            "HEAD": { _ in .head },
            "POST with bytes": { _ in .post(payload: .bytes(2)) },
            "POST with many bytes": { _ in .post(payload: .bytes(100_000)) },
            "POST without a payload": { _ in .post(payload: nil) },
            "POST with no bytes": { _ in .post(payload: .bytes(0)) },
            "POST of a form": { file in
                let form = MultipartForm([.text("a", "b"), .file("c", file)], boundary: "x")
                return .post(payload: Payload(.multipart(form), mediaType: form.mediaType))
            },
            "PUT with bytes": { _ in .put(payload: .bytes(3)) },
            "PUT with many bytes": { _ in .put(payload: .bytes(300_000)) },
            "PUT of a file": { .put(payload: Payload(.file($0), mediaType: nil)) },
            "PUT without a payload": { _ in .put(payload: nil) },
            "DELETE": { _ in .delete(payload: nil) },
            "DELETE with bytes": { _ in .delete(payload: .bytes(4)) },
            "OPTIONS": { _ in .options(payload: nil) },
            "PATCH with bytes": { _ in .patch(payload: .bytes(5)) },
            "TRACE": { _ in .trace },
            "PURGE": { _ in .custom(method: "PURGE", payload: nil) },
            "REPORT with a file": { .custom(method: "REPORT", payload: Payload(.file($0), mediaType: nil)) },
        ]

        @Test(
            "a request contains nothing of the request before",
            arguments: kinds.keys.sorted().filter { isExhaustive || $0.hasPrefix("P") }
        )
        func pairs(first: String) async throws {
            for second in Self.kinds.keys {
                try await expectWhole(first, second, [.receiveRequest, .send(Self.answer)], attempts: 1)
            }
        }

        @Test(
            "a retried request contains its whole payload",
            arguments: kinds.keys.sorted().filter { isExhaustive || $0.hasPrefix("P") }
        )
        func sentAnew(first: String) async throws {
            for second in Self.kinds.keys {
                let isSentOnce = ["POST", "PATCH", "PURGE"].contains { second.hasPrefix($0) }
                try await expectWhole(first, second, [.receiveRequest, .close], attempts: isSentOnce ? 1 : 2)
            }
        }

        /// Expects each attempt of the second request to contain its whole payload.
        private func expectWhole(_ first: String, _ second: String, _ steps: [ServerScriptStep], attempts: Int)
            async throws
        {
            let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
            try Data.pattern(count: 120_000).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let script = [ServerScriptStep.receiveRequest, .send(Self.answer)]
            try await LoopbackServer.playing({ $0 == 0 ? script + steps : script }) { server in
                let connector = Connector.curl()
                for name in [first, second] {
                    guard let kind = Self.kinds[name]?(file) else { throw Unexpected(name) }
                    _ = await WebAPI.call(with: Input(url: server.url, methodAndPayload: kind), via: connector)
                }
                guard let kind = Self.kinds[second]?(file) else { throw Unexpected(second) }
                let content = try kind.payload?.content.bytes() ?? Data()
                let messages = server.received.elements.dropFirst().map { RawMessage($0) }
                #expect(messages.count == attempts, "\(first), then \(second)")
                let hasLength = kind.payload != nil || ["POST", "PUT", "PATCH"].contains(kind.method)
                for message in messages {
                    #expect(message.requestLine.hasPrefix(kind.method + " "), "\(first), then \(second)")
                    #expect(message.body.isSame(as: content), "\(first), then \(second): \(message.body.count) bytes")
                    #expect(message.headers["Content-Length"] == (hasLength ? "\(content.count)" : nil))
                    #expect(message.headers["Expect"] == nil && message.headers["Transfer-Encoding"] == nil)
                }
            }
        }
    }

    extension Payload {
        fileprivate static func bytes(_ count: Int) -> Payload {
            Payload(.data(Data.pattern(count: count)), mediaType: nil)
        }
    }
#endif
