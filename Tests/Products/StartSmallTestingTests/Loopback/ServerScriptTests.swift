import Foundation
import StartSmall
import Testing

@testable import StartSmallTesting

@Suite(.timeLimit(.minutes(1))) struct ServerScriptTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi"
    private static let chunked =
        "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nhi\r\n0\r\nT: u\r\n\r\n"

    @Test func sendsTheVeryBytes() async throws {
        let bytes: [UInt8] = [0x00, 0xFF, 0x0A, 0x0D, 0x80]
        let got = try await play([.sendBytes(bytes), .send("é")]) { $0.read(upTo: .max).bytes }
        #expect(got == bytes + Array("é".utf8))
    }

    @Test func recordsTheVeryBytesOfEachRequest() async throws {
        let received = try await received([.receiveRequest, .receiveRequest, .receiveRequest]) { client in
            client.send(Self.get + Self.post + Self.chunked)
            return client.readToEnd().text
        }
        #expect(received == [Self.get, Self.post, Self.chunked])
    }

    @Test func aHeadIsReadBeforeItsBodyIsSent() async throws {
        let received = try await received([.receiveHead, .send("!"), .receiveRequest, .send("?")]) { client in
            client.send(String(Self.post.dropLast(2)))
            precondition(client.read(1) == "!")
            client.send("hi")
            precondition(client.read(1) == "?")
            return ""
        }
        #expect(received == [Self.post])
    }

    @Test func headsAloneAreNotRecorded() async throws {
        let received = try await received([.receiveHead, .receiveHead, .receiveRequest]) { client in
            client.send(Self.post + Self.get + Self.chunked)
            return client.readToEnd().text
        }
        #expect(received == [Self.get])
    }

    @Test(arguments: [0, 1, 2]) func aBodyIsThrownAwayAndWhatFollowsIsTheNextRequest(arriving count: Int) async throws {
        let steps: [ServerScriptStep] = [.receiveHead, .send("!"), .discard(2), .send("?"), .receiveRequest]
        let received = try await received(steps) { client in
            client.send(String(Self.post.dropLast(2 - count)))
            _ = client.read(1)
            client.send(Self.post.suffix(2 - count) + Self.get)
            return client.readToEnd().text
        }
        #expect(received == [Self.get])
    }

    @Test func whatIsNoRequestIsRecordedAndTheScriptGoesOn() async throws {
        let received = try await received([.receiveRequest, .send("!"), .receiveRequest]) { client in
            client.send("\u{16}\u{3}\u{1}")
            _ = client.read(1)
            client.send(Self.get)
            return client.readToEnd().text
        }
        #expect(received == ["\u{16}\u{3}\u{1}", Self.get])
    }

    @Test func aRequestThatIsCutShortIsRecordedAndEndsTheScript() async throws {
        let received = try await received([.receiveRequest, .send("!")]) { client in
            client.send("GET / HT")
            client.endOutput()
            precondition(client.readToEnd().text == "")
            return ""
        }
        #expect(received == ["GET / HT"])
    }

    @Test(arguments: [(0, 1), (1, 0), (3, 100_000), (100_000, 3)])
    func sendsTheSameOverAndOver(size: Int, times: Int) async throws {
        let data = Data((0..<size).map { UInt8($0 % 251) })
        let got = try await play([.sendRepeatedly(data, times: times), .send("")]) { $0.read(upTo: .max).bytes }
        #expect(Data(got) == Data(repeatElement(data, count: times).joined()))
    }

    @Test func closesInOrderAlthoughMoreComes() async throws {
        let (isSent, text, error) = try await play([.receiveHead, .send("early"), .close, .send("never")]) { client in
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4000000\r\n\r\n")
            let isSent = client.sendBytes(Array(repeating: 0x61, count: 4_000_000))
            let (text, error) = client.readToEnd()
            return (isSent, text, error)
        }
        #expect(isSent)
        #expect(text == "early")
        #expect(error == 0)
    }

    @Test func aResetAfterWhatTheClientReadIsSeenAsOne() async throws {
        let latch = Latch()
        let (text, error) = try await play([.send("HTTP/1.1 200 OK\r\n"), .wait(latch), .reset]) { client in
            let text = client.read(17)
            latch.open()
            return (text, client.readToEnd().error)
        }
        #expect(text == "HTTP/1.1 200 OK\r\n")
        #expect(error == ECONNRESET)
    }

    @Test func isSilentUntilTheClientCloses() async throws {
        let passed = Latch()
        let got = try await play([.waitForClose, .wait(passed), .send("after")]) { client in
            client.sendBytes(Array(repeating: 0, count: 1_000_000))
            client.endOutput()
            passed.open()
            return client.readToEnd().text
        }
        #expect(got == "after")
    }

    private func play<Result: Sendable>(
        _ steps: [ServerScriptStep],
        _ body: @escaping @Sendable (RawClient) -> Result
    ) async throws -> Result {
        try await LoopbackServer.playing({ _ in steps }) { await RawClient.converse(with: $0, body) }
    }

    private func received(_ steps: [ServerScriptStep], _ body: @escaping @Sendable (RawClient) -> String) async throws
        -> [String]
    {
        try await LoopbackServer.playing({ _ in steps }) { server in
            _ = await RawClient.converse(with: server, body)
            return server.received.elements.map { String(decoding: $0, as: UTF8.self) }
        }
    }
}
