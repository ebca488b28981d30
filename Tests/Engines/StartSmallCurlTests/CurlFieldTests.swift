#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallDownloads
    import StartSmallTesting
    import TestSupport
    import Testing

    @Suite("bytes that are no UTF-8 in header fields") struct CurlFieldTests {
        @Test("the bytes of a field go back as they came, and é goes as UTF-8")
        func sameBytes() async throws {
            // All bytes that a value may have, and the bytes of a mark.
            let value = [0x22] + Array(0x80...0xFF) + [0xC3, 0xA9] + Array("\u{10FFE9}".utf8) + [0x22]
            let head = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: ".utf8) + value + Array("\r\n\r\n".utf8)
            let steps: [ServerScriptStep] = [.receiveRequest, .sendBytes(head)]
            try await LoopbackServer.playing({ _ in steps + steps }) { server in
                let connector = Connector.curl()
                let first = await WebAPI.call(with: Input(url: server.url), via: connector)
                let tag = try #require(first.response?.etag, "\(first)")
                let cookie = try #require(first.response?.headers["ETag"])
                let headers: HTTPHeaders = ["If-None-Match": tag.description, "Cookie": cookie, "X-A": "é"]
                let second = await WebAPI.call(with: Input(url: server.url, headers: headers), via: connector)
                #expect(second.response?.etag == tag)
                let sent = try #require(server.received.elements.last)
                for field in [Array("If-None-Match: ".utf8) + value, Array("Cookie: ".utf8) + value] {
                    #expect(Data(sent).range(of: Data(field + [13, 10])) != nil)
                }
                #expect(Data(sent).range(of: Data("X-A: é\r\n".utf8)) != nil)
            }
        }

        @Test("a byte of Location becomes a percent-encoded one, and é is that of UTF-8")
        func location() async throws {
            let start = Array("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: /caf".utf8)
            for (bytes, path) in [([0xE9], "/caf%E9"), ([0xC3, 0xA9], "/caf%C3%A9")] as [([UInt8], String)] {
                let head = start + bytes + Array("\r\n\r\n".utf8)
                let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"
                let steps: [ServerScriptStep] = [
                    .receiveRequest, .sendBytes(head), .receiveRequest, .send(ok),
                ]
                try await LoopbackServer.playing({ _ in steps }) { server in
                    let connector = Connector.curl().wrapped(by: .redirect())
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.response?.statusCode == .ok, "\(output)")
                    let sent = try #require(server.received.elements.last)
                    #expect(RawMessage(sent).requestLine == "GET \(path) HTTP/1.1")
                }
            }
        }

        @Test("a file name in ISO-8859-1 is read as such") func fileName() {
            let disposition = ContentDisposition("attachment; filename=\"caf\u{10FFE9}.txt\"")
            #expect(disposition?.fileName == "café.txt")
        }
    }
#endif
