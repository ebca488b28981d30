#if os(Linux)
    import Testing

    import StartSmall
    @testable import StartSmallCurl

    @Suite("heads from libcurl's header callback") struct CurlHeadTests {
        private static let whole =
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nA: b\r\nset-cookie: 1\r\nSet-Cookie: 2\r\nFolded: one\r\n  two\r\n\tthree\r\n"
            + "Empty:\r\nSpace:  \t c d \r\n\r\nX-Trailer: t\r\n"

        private func head(_ bytes: [UInt8]) -> CurlHead {
            bytes.withUnsafeBufferPointer { CurlHead($0) }
        }

        private func head(_ text: String) -> CurlHead { head(Array(text.utf8)) }

        @Test("the last head is the response's, and the fields after it are trailers") func theLastHead() {
            let head = head(Self.whole)
            #expect(head.isComplete)
            #expect(head.statusCode == 200)
            #expect(
                head.fields.map { "\($0.name)=\($0.value)" } == [
                    "A=b", "set-cookie=1", "Set-Cookie=2", "Folded=one two three", "Empty=", "Space=c d",
                ]
            )
            #expect(head.trailers.map { "\($0.name)=\($0.value)" } == ["X-Trailer=t"])
        }

        @Test("a head is complete only with its empty line") func aHeadIs() {
            let text = "HTTP/1.1 200 OK\r\nA: b\r\n\r\n"
            for count in 0..<text.utf8.count { #expect(!head(Array(text.utf8.prefix(count))).isComplete) }
            #expect(head(text).isComplete)
        }

        @Test(
            "a status line may lack its reason",
            arguments: [
                ("HTTP/1.1 200 OK\r\n\r\n", 200), ("HTTP/1.1 200\r\n\r\n", 200), ("HTTP/1.1 200 \r\n\r\n", 200),
                ("HTTP/2 204 \r\n\r\n", 204), ("HTTP/2 404\r\n\r\n", 404), ("HTTP/1.0 777 ?\n\n", 777),
                ("HTTP/1.1 101 Switching Protocols\r\n\r\n", 101), ("HTTP/1.1  200 OK\r\n\r\n", 200),
                ("http/1.1 404 Not Found\r\n\r\n", 404),
            ]
        )
        func aStatusLine(text: String, code: Int) {
            #expect(head(text).statusCode == code)
            #expect(head(text).isComplete)
        }

        @Test(
            "bytes that are not a head of a response are refused",
            arguments: [
                "", "\r\n", "garbage\r\n\r\n", "HTTP/1.1\r\n\r\n", "HTTP/1.1 \r\n\r\n", "HTTP/1.1 2\r\n\r\n",
                "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "A: b\r\n\r\n",
                "HTTP/1.1 103 Early\r\nA: b\r\n\r\n",
            ]
        )
        func whatIsNo(text: String) {
            #expect(!head(text).isComplete)
            #expect(head(text).fields.isEmpty || !text.hasSuffix("\r\n\r\n"))
        }

        @Test("each byte of a value that is not UTF-8 is marked") func aValueThat() {
            let bytes = Array("HTTP/1.1 200 OK\r\nA: ".utf8) + Array(0x80...0xFF) + Array("\r\nB: あ\r\n\r\n".utf8)
            let fields = head(bytes).fields
            #expect(fields.first?.value.unicodeScalars.map(\.value) == Array(0x10FF80...0x10FFFF))
            #expect(fields.last?.value == "あ")
        }

        @Test("neither a line without a colon nor a folded line without a field before it is a field")
        func aLineWithout() {
            #expect(head("HTTP/1.1 200 OK\r\n folded\r\nnonsense\r\n: x\r\n\r\n").fields.map(\.value) == ["x"])
            #expect(head("HTTP/1.1 200 OK\r\na: x\r\nnonsense\r\n folded\r\n\r\n").fields.map(\.value) == ["x"])
        }

        @Test("the value of a field or trailer may look like a status line") func aValueMay() {
            let head = head("HTTP/1.1 200 OK\r\nA: HTTP/1.1 500 No\r\n\r\nHTTP/1.1 500: x\r\nB: c\r\n")
            #expect(head.statusCode == 200)
            #expect(head.trailers.map(\.value) == ["x", "c"])
        }

        @Test("a line in a head that looks like a status line is a field if it has a colon, and never another status")
        func statusLineInside() {
            for line in ["HTTP/1.1 404: x", "HTTP/1.1 404 Not Found", "HTTP/1.1 103 :"] {
                let head = head("HTTP/1.1 200 OK\r\nA: b\r\n\(line)\r\nC: d\r\n\r\n")
                #expect(head.isComplete && head.statusCode == 200)
                #expect(head.fields.count == (line.contains(":") ? 3 : 2))
                #expect(head.fields.first?.name == "A" && head.fields.last?.name == "C")
            }
        }

        @Test("no bytes end the process") func noBytesEnd() {
            var random = SystemRandomNumberGenerator()
            let pieces =
                ["HTTP/1.1 200 OK", "HTTP/", "\r\n", "\n", "\r", ":", " ", "\t", "a", "\0", "1"]
                .map { Array($0.utf8) } + [[0xFF], [0xC3], []]
            for _ in 0..<5000 {
                let count = Int.random(in: 0..<12, using: &random)
                _ = head((0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] })
            }
        }
    }
#endif
