import Foundation
import StartSmall

extension ConnectorLaw {
    /// Laws on requests: each part of a request arrives, and nothing else.
    static let ofRequests = [
        ConnectorLaw(.methods, "every method arrives, with its payload") { trial in
            var objections: [String?] = []
            for sent in methods {
                let arrived = try await trial.request(sent).arrived
                objections.append(rejectionReason("requests of \(sent.method)", arrived.count, 1))
                for input in arrived {
                    let got = input.methodAndPayload
                    objections.append(rejectionReason("the method", got.method, sent.method))
                    objections.append(
                        rejectionReason("the payload of \(sent.method)", got.body ?? Data(), sent.body ?? Data())
                    )
                    if let mediaType = sent.payload?.mediaType?.rawValue {
                        objections.append(rejectionReason("Content-Type", input.headers["Content-Type"], mediaType))
                    }
                }
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.targets, "the path and the query of the URL arrive unchanged") { trial in
            var objections: [String?] = []
            for target in targets {
                let arrived = try await trial.request(target).arrived.map { $0.url.target }
                objections.append(
                    rejectionReason("the target", arrived, [target.hasPrefix("/") ? target : "/" + target])
                )
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.queries, "query items arrive once, percent-encoded, after those of the URL") { trial in
            let items = [
                URLQueryItem(name: "a b", value: "1+2=3&4"), URLQueryItem(name: "bare", value: nil),
                URLQueryItem(name: "empty", value: ""), URLQueryItem(name: "a b", value: "ü"),
            ]
            let arrived = try await trial.request("/?first=%20", queries: items).arrived.map { $0.url.target }
            let expected = "/?first=%20&a%20b=1%2B2%3D3%264&bare&empty=&a%20b=%C3%BC"
            return [rejectionReason("the target", arrived, [expected])].compactMap(\.self)
        },
        ConnectorLaw(.fragment, "a fragment is not sent") { trial in
            let arrived = try await trial.request("/a?b#c").arrived.map { $0.url.target }
            return [rejectionReason("the target", arrived, ["/a?b"])].compactMap(\.self)
        },
        ConnectorLaw(.requestHeaders, "header fields arrive, those of one name in order, possibly joined") { trial in
            let headers: HTTPHeaders = [
                "Accept": "text/plain;q=0.5, */*", "X-Space": "a  b", "x-lower": "Mixed: Case", "X-UTF8": "あ",
                "User-Agent": "me/1", "Accept-Language": "ja", "If-None-Match": "\"a\"", "Authorization": "Bearer t",
                "X-A": "1", "x-a": "2",
            ]
            guard let arrived = try await trial.request(headers: headers).arrived.first else {
                return ["nothing arrived"]
            }
            return Set(headers.fields.map { $0.name.lowercased() }).sorted().compactMap { name in
                let (got, sent) = (arrived.headers.values(of: name), headers.values(of: name))
                return rejectionReason(name, got.joined(separator: ", "), sent.joined(separator: ", "))
            }
        },
        ConnectorLaw(.userInfo, "user information becomes Basic credentials (RFC 7617), and is removed from the URL") {
            trial in
            let arrived = Recorder<Input>()
            try await LoopbackServer.serving(.stub(.status(.noContent), recording: arrived)) { server in
                guard let url = URL(string: "http://me:p%40ss@127.0.0.1:\(server.port)/") else { return }
                _ = await WebAPI.call(with: Input(url: url), via: trial.connector)
            }
            let expected = "Basic " + Data("me:p@ss".utf8).base64EncodedString()
            let got = arrived.elements.map { $0.headers["Authorization"] ?? "none" }
            return [
                rejectionReason("Authorization", got, [expected]),
                rejectionReason("the target", arrived.elements.map { $0.url.target }, ["/"]),
            ].compactMap(\.self)
        },
        ConnectorLaw(.requestPayload, "every byte of a payload arrives, none for an empty one") { trial in
            var objections: [String?] = []
            for count in [0, 1, 256, 65_537, 1_048_576] {
                let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                let payload = HTTPMethodAndPayload.put(payload: Payload(.data(bytes), mediaType: .octetStream))
                let arrived = try await trial.request(payload).arrived.first?.methodAndPayload.body ?? Data()
                if arrived != bytes {
                    objections.append("of \(count) bytes, \(arrived.count) arrived, or different ones")
                }
            }
            return objections.compactMap(\.self)
        },
        ConnectorLaw(.injection, "header fields that would break the message are not sent") { trial in
            var objections: [String?] = []
            for headers: HTTPHeaders in [["A": "b\r\nC: d"], ["A b": "c"], ["Content-Length": "7"]] {
                let (arrived, output) = try await trial.request(headers: headers)
                objections.append(rejectionReason("requests with such a header", arrived.count, 0))
                objections.append(rejectionReason("the error", output.connectionError?.name, "malformedHeader"))
            }
            return objections.compactMap(\.self)
        },
    ]

    private static let payload = Payload(.data(Data("hello".utf8)), mediaType: .text)

    private static let methods: [HTTPMethodAndPayload] = [
        .get, .head, .post(payload: nil), .put(payload: nil), .delete(payload: nil), .options(payload: nil),
        .patch(payload: nil), .post(payload: payload), .put(payload: payload), .delete(payload: payload),
        .options(payload: payload), .patch(payload: payload), .custom(method: "PURGE", payload: nil),
        .custom(method: "REPORT", payload: payload),
    ]

    private static let targets = [
        "", "/", "/a/b/", "/a%20b", "/a%2Fb", "/%E3%81%82", "/%25", "/a;b=c,d", "/~-._!$&'()*+,;=:@", "//a//b", "/?",
        "/?a", "/?a=", "/?a=b%20c+d%2B&a=e", "/?a=/?:@", "/a?b=%E3%81%82",
    ]
}

extension URL {
    /// The target of a request line: the part of the URL after the authority.
    fileprivate var target: String {
        let text = absoluteString
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        return String(text[start...].drop { $0 != "/" && $0 != "?" })
    }
}

extension ConnectorTrial {
    fileprivate func request(
        _ methodAndPayload: HTTPMethodAndPayload
    ) async throws -> (arrived: [Input], output: Output) {
        try await request("/a", methodAndPayload)
    }
}
