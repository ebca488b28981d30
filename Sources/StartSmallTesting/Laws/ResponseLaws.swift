import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on responses: each part of a response is returned unchanged.
    static let ofResponses = [
        ConnectorLaw(.statuses, "every status is returned with its payload, redirects and refusals too") { trial in
            var objections: [String?] = []
            for code in [200, 201, 206, 299, 301, 302, 303, 307, 308, 400, 401, 403, 404, 407, 418, 429, 500, 503, 599]
            {
                let head =
                    "HTTP/1.1 \(code) Some Words\r\nLocation: /elsewhere\r\nWWW-Authenticate: Basic realm=\"a\"\r\n"
                let output = try await trial.response(to: head + "Content-Length: 2\r\n\r\nhi")
                objections.append(rejectionReason("the status", output.response?.statusCode.code, code))
                objections.append(rejectionReason("the payload of \(code)", output.response?.payload, Data("hi".utf8)))
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.responseHeaders, "header fields are returned, those of one name in order, and two cookies as two")
        {
            trial in
            let output = try await trial.response(
                to: "HTTP/1.1 200 OK\r\nx-lower: a\r\nX-Colon: a:b, c\r\nX-Space: \t a b \t \r\nX-Empty:\r\n"
                    + "X-A: 1\r\nX-B: b\r\nX-A: 2\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT\r\n"
                    + "Set-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
            )
            guard let headers = output.response?.headers else { return ["\(output)"] }
            let cookies = ["a=1; Expires=Wed, 21 Oct 2015 07:28:00 GMT", "b=2"]
            return [
                rejectionReason("X-Lower", headers["X-Lower"], "a"),
                rejectionReason("X-Colon", headers["X-Colon"], "a:b, c"),
                rejectionReason("X-Space", headers["X-Space"], "a b"),
                rejectionReason("X-Empty", headers["X-Empty"], ""),
                rejectionReason("X-A", headers.values(of: "X-A").joined(separator: ", "), "1, 2"),
                rejectionReason("Set-Cookie", headers.values(of: "Set-Cookie"), cookies),
            ].compactMap(\.self)
        },
        ConnectorLaw(.interim, "heads of 1xx are not the response (RFC 9110 15.2)") { trial in
            let output = try await trial.response(
                to: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 2\r\n\r\nhi"
            )
            return [
                rejectionReason("A", output.response?.headers["A"], "b"),
                rejectionReason("the status", output.response?.statusCode, .ok),
                rejectionReason("Link", output.response?.headers["Link"], nil),
                rejectionReason("the payload", output.response?.payload, Data("hi".utf8)),
            ].compactMap(\.self)
        },
        ConnectorLaw(.framing, "the payload is complete for each kind of framing (RFC 9112 6.3)") { trial in
            var objections: [String?] = []
            for (framing, payload) in framings {
                let output = try await trial.response(to: framing)
                objections.append(rejectionReason("the payload", output.response?.payload, Data(payload.utf8)))
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.head, "the response to HEAD has the Content-Length of GET, and no payload") { trial in
            let output = try await trial.response(to: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .head)
            return [
                rejectionReason("Content-Length", output.response?.headers["Content-Length"], "5"),
                rejectionReason("the payload", output.response?.payload, Data()),
            ].compactMap(\.self)
        },
        ConnectorLaw(.responsePayload, "a payload of 1 MiB is returned, and read from a body in order") { trial in
            let block = Data((0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let whole = (0..<16).reduce(into: Data()) { data, _ in data += block }
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(whole.count)\r\n\r\n"
            let steps: [ServerScriptStep] = [.sendRepeatedly(block, times: 16), .close]
            let inMemory = try await trial.response(to: head, then: steps).response?.payload
            let all = [ServerScriptStep.receiveRequest, .send(head)] + steps
            let streamed = try await LoopbackServer.playing({ _ in all }) { server in
                try await trial.stream(from: server).response?.body?.bytes()
            }
            return [
                inMemory == whole ? nil : "other bytes: \(inMemory?.count ?? 0)",
                streamed == whole ? nil : "other bytes of the body: \(streamed?.count ?? 0)",
            ].compactMap(\.self)
        },
        ConnectorLaw(.forgetting, "cookies and cacheable responses are not stored") { trial in
            let arrived = Recorder<Input>()
            let output = Output.text("hi", headers: ["Set-Cookie": "a=1; Path=/", "Cache-Control": "max-age=600"])
            try await LoopbackServer.serving(.stub(output, recording: arrived)) { server in
                for _ in 0..<2 { _ = await WebAPI.call(with: Input(url: server.url), via: trial.connector) }
            }
            let cookies = arrived.elements.map { $0.headers["Cookie"] ?? "none" }
            return [rejectionReason("the cookies of two requests", cookies, ["none", "none"])].compactMap(\.self)
        },
    ]

    private static let framings = [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
        ("HTTP/1.1 200 OK\r\n\r\nhello", "hello"), ("HTTP/1.0 200 OK\r\n\r\nhello", "hello"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", ""), ("HTTP/1.1 200 OK\r\n\r\n", ""),
        ("HTTP/1.1 204 No Content\r\n\r\n", ""),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ""),
    ]
}
