#if os(Linux)
    import Foundation
    import StartSmall
    import StartSmallTesting
    import TestSupport
    import Testing

    /// A payload of 314 bytes in a content coding, made with zlib 1.2.13, brotli 1.0.9 and zstd 1.5.4.
    struct CodedPayload: Sendable, CustomTestStringConvertible {
        let name: String
        let coding: String
        let bytes: [UInt8]

        var testDescription: String { name }

        init(_ name: String, _ coding: String, _ base64: String) {
            (self.name, self.coding) = (name, coding)
            bytes = Array(Data(base64Encoded: base64) ?? Data())
        }

        static let text = Data((0..<60).map { "\($0 * $0), " }.joined().utf8)

        static let all = [
            CodedPayload("gzip", "gzip", gzip), CodedPayload("deflate", "deflate", zlib),
            CodedPayload("deflate without a head", "deflate", raw), CodedPayload("br", "br", brotli),
            CodedPayload("zstd", "zstd", zstd),
        ]

        static let gzip =
            "H4sIAAAAAAAC/x2PywHAMAhCV+kAOfiLSfZfrD4uLUFAtPX5+mp9b0CvL/b6cv417x76ztTN5hOgKmRoH2LUsUF3uIzCTB6OKtAd"
            + "bsdM9xld42jQgTtML7qH47W2EeNGojvhrj0erPTU9lKRrU6teq2mh85+Sw25I0wdXbeFDR9po4kypzveaOEj/krz0Ke86eTMbVyY"
            + "5Gex6wcDACnaOgEAAA=="
        private static let zlib =
            "eJwdj8sBwDAIQlfpADn4i0n2X6w+Li1BQLT1+fpqfW9Ary/2+nL+Ne8e+s7UzeYToCpkaB9i1LFBd7iMwkwejirQHW7HTPcZXeNo"
            + "0IE7TC+6h+O1thHjRqI74a49Hqz01PZSka1OrXqtpofOfksNuSNMHV23hQ0faaOJMqc73mjhI/5K89CnvOnkzG1cmORnsesH2WI5"
            + "Ag=="
        private static let raw =
            "HY/LAcAwCEJX6QA5+ItJ9l+sPi4tQUC09fn6an1vQK8v9vpy/jXvHvrO1M3mE6AqZGgfYtSxQXe4jMJMHo4q0B1ux0z3GV3jaNCB"
            + "O0wvuofjtbYR40aiO+GuPR6s9NT2UpGtTq16raaHzn5LDbkjTB1dt4UNH2mjiTKnO95o4SP+SvPQp7zp5MxtXJjkZ7HrBw=="
        private static let brotli =
            "GzkB+I3UYy0x2QnccLEsCKK/ARLKRSv0QoRDi4decmz4QlXIQgnaQ7fYg2fxP9qhV6SKROSH8TFvWQ/7lufj/fAjropboXJQ/UOa"
            + "RfYg36LeQ0nQWGir0H6ht0E/h64XlwdLi12Hu4JTwlOFt4RfBf86fFq6PLR6aefo3tA5"
        private static let zstd =
            "KLUv/WA6AN0EAKbTJQugtw1m/fQyE/bfayAAIgAhAFPwavRR6Avto+Ir4pvhY/lE+Dje0Kt5BF7oI7568/gkr4bwTYWPVE+kHme8"
            + "GeJVxSNBL5QeifCq4c2Yx5knMo8EXn1E9oVKH4Hiqxl8Q4KPg/hEiI8NfDPDVwT4qMoXWj4KZI9jwBsC4NUUPAIEL1TAI1ZfyegbE"
            + "X0U6hMJfZTpGwF9JQ0A"

        /// 256 MiB of zeros in br.
        static let brotliOf256MiBOfZeros =
            "z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf//P//B0ACIA4LQPf+n////wBIAMRhAeje"
            + "//P//x8ACYA4LADd+3/+//8DIAEQhwWge//P//9/ACQA4rAAdO//+f//D4AEQBwWgO79P////wGQAIjDAtC9/+f//z8AEgBxWAC6"
            + "9//8//8HQAIgDgtA9/6f////AEgAxGEB6N7/8///HwAJgDgsAN37//z//wcgARCHBaB7/w8="
    }

    @Suite("content codings over the engine for Linux") struct CurlCodingTests {
        /// The framing of a payload, which tells its end.
        enum Framing: CaseIterable, Sendable {
            case length, chunks, close

            /// The error of a payload that ends too early: with the end of the connection it is transient, otherwise it
            /// is the server's fault.
            var nameOfEarlyEnd: String { self == .close ? "connectionLost" : "unreadablePayload" }
        }

        /// The response of a server with a payload in a coding.
        private static func answer(_ bytes: ArraySlice<UInt8>, _ coding: String, _ framing: Framing)
            -> [ServerScriptStep]
        {
            let field =
                switch framing {
                case .length: "Content-Length: \(bytes.count)\r\n"
                case .chunks: "Transfer-Encoding: chunked\r\n"
                case .close: ""
                }
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\n\(field)\r\n"
            if framing != .chunks { return [.receiveRequest, .send(head), .sendBytes(Array(bytes)), .close] }
            // One byte per chunk, so that the decoder receives each on its own.
            let chunks = bytes.flatMap { Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8) } + Array("0\r\n\r\n".utf8)
            return [.receiveRequest, .send(head), .sendBytes(chunks), .close]
        }

        private static func output(
            of bytes: some Collection<UInt8>,
            _ coding: String,
            _ framing: Framing = .length
        ) async throws -> Output {
            let bytes = Array(bytes)[...]
            return try await LoopbackServer.playing({ _ in answer(bytes, coding, framing) }) { server in
                await WebAPI.call(with: Input(url: server.url), via: .curl())
            }
        }

        @Test("a whole payload is decoded, in memory and as a stream", arguments: CodedPayload.all, Framing.allCases)
        func whole(payload: CodedPayload, framing: Framing) async throws {
            let output = try await Self.output(of: payload.bytes, payload.coding, framing)
            #expect(output.response?.payload == CodedPayload.text, "\(output)")
            try await LoopbackServer.playing({ _ in Self.answer(payload.bytes[...], payload.coding, framing) }) {
                server in
                let streamed = await WebAPI.call(with: Input(url: server.url, delivery: .stream), via: .curl())
                let read = try await streamed.response?.wholePayload()
                #expect(read == CodedPayload.text, "\(streamed)")
            }
        }

        @Test(
            "a payload that is cut after any byte is an error, with any framing",
            arguments: CodedPayload.all,
            Framing.allCases
        )
        func truncated(payload: CodedPayload, framing: Framing) async throws {
            let first = framing == .close ? 0 : 1
            let counts = stride(from: first, to: payload.bytes.count, by: isExhaustive ? 1 : 7)
            let scripts = counts.map {
                Self.answer(payload.bytes.prefix($0), payload.coding, framing)
            }
            try await LoopbackServer.playing({ scripts[min($0, scripts.count - 1)] }) { server in
                let connector = Connector.curl()
                for count in counts {
                    let output = await WebAPI.call(with: Input(url: server.url), via: connector)
                    #expect(output.connectionError?.name == framing.nameOfEarlyEnd, "\(count) bytes: \(output)")
                }
            }
        }

        @Test("a payload that is cut leaves the file unchanged", arguments: CodedPayload.all, Framing.allCases)
        func truncatedToFile(payload: CodedPayload, framing: Framing) async throws {
            try await withFile(Data("old".utf8)) { file async throws in
                let bytes = payload.bytes.dropLast()
                try await LoopbackServer.playing({ _ in Self.answer(bytes, payload.coding, framing) }) { server in
                    let fetched = await Endpoint.download(.get(server.url.absoluteString), to: file)
                        .fetch(via: .curl())
                    #expect(fetched.left?.left?.name == framing.nameOfEarlyEnd, "\(fetched)")
                }
                #expect(try Data(contentsOf: file) == Data("old".utf8))
            }
        }

        @Test(
            "bytes that are not in their coding are unreadable",
            arguments: ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "gzip, gzip", "x"],
            Framing.allCases
        )
        func wrong(coding: String, framing: Framing) async throws {
            let output = try await Self.output(of: Array("hello".utf8), coding, framing)
            let names = ["unreadablePayload", framing.nameOfEarlyEnd]
            #expect(names.contains(output.connectionError?.name ?? ""), "\(output)")
        }

        @Test(
            "bytes after the end of a payload are unreadable",
            arguments: CodedPayload.all,
            Framing.allCases
        )
        func garbage(payload: CodedPayload, framing: Framing) async throws {
            let output = try await Self.output(of: payload.bytes + Array("xyz".utf8), payload.coding, framing)
            #expect(output.connectionError?.name == "unreadablePayload", "\(output)")
        }

        @Test("all members of gzip and frames of zstd are decoded", arguments: ["gzip", "zstd"], Framing.allCases)
        func members(name: String, framing: Framing) async throws {
            let payload = try #require(CodedPayload.all.first { $0.name == name })
            let bytes = payload.bytes + payload.bytes + payload.bytes
            let output = try await Self.output(of: bytes, payload.coding, framing)
            #expect(output.response?.payload == CodedPayload.text + CodedPayload.text + CodedPayload.text, "\(output)")
            let cut = try await Self.output(of: bytes.dropLast(2), payload.coding, framing)
            #expect(cut.connectionError?.name == framing.nameOfEarlyEnd, "\(cut)")
        }

        @Test(
            "an empty payload may name any coding, if its end is framed",
            arguments: ["gzip", "deflate", "br", "zstd"]
        )
        func empty(coding: String) async throws {
            for framing in [Framing.length, .chunks] {
                let output = try await Self.output(of: [], coding, framing)
                #expect(output.response?.payload == Data(), "\(output)")
            }
        }

        @Test("a request for a range asks for no content coding") func range() async throws {
            let steps: [ServerScriptStep] = [.receiveRequest, .send("HTTP/1.1 204 No Content\r\n\r\n")]
            try await LoopbackServer.playing({ _ in steps + steps }) { server in
                let connector = Connector.curl()
                _ = await WebAPI.call(with: Input(url: server.url, headers: ["Range": "bytes=1-"]), via: connector)
                _ = await WebAPI.call(with: Input(url: server.url), via: connector)
                let asked = server.received.elements.map { RawMessage($0).headers["Accept-Encoding"] }
                #expect(asked == ["identity", "gzip, deflate, br"])
            }
        }
    }
#endif
