import Foundation
import StartSmall

/// The structure of a cassette's file, which ``CassetteLayout`` writes.
struct CassetteFile: Decodable {
    var version: Int
    var exchanges: [Entry]

    struct Entry: Decodable {
        var failure: RecordedFailure?
        var recorded: String
        var request: Request

        /// The response; nil only beside a failure.
        var response: Answer?
    }

    struct Request: Decodable {
        var method: String
        var url: String
        var headers: [String]?
        var mediaType: String?
        var payload: Bytes?
    }

    struct Answer: Decodable {
        var status: Int
        var headers: [String]?
        var payload: Bytes?
        var trailers: [String]?
        var redirections: [Step]?
    }

    struct Step: Decodable {
        var from: String
        var status: Int
        var to: String
    }

    /// A payload in a file.
    ///
    /// The payload is a text in lines, or one line of JSON in pieces, so that a diff shows the changed lines. A text
    /// has the name of its encoding, except UTF-8. Other bytes are in Base64. For a payload over the limit, the file
    /// contains only its size and hash.
    struct Bytes: Decodable {
        var text: [String]?
        var json: [String]?
        var charset: String?
        var base64: String?
        var size: Int?
        var sha256: String?
    }
}

extension CassetteFile.Entry {
    var exchange: Exchange {
        get throws(CassetteError) {
            guard let date = Date(cassette: recorded) else { throw CassetteError("not a time: \"\(recorded)\"") }
            if response == nil, failure == nil {
                throw CassetteError("an exchange has neither \"response\" nor \"failure\"")
            }
            return Exchange(
                input: try request.input,
                response: try response?.response ?? Exchange.nothing,
                failure: failure,
                recorded: date,
                inputDigest: request.payload?.digest,
                responseDigest: response?.payload?.digest
            )
        }
    }
}

extension CassetteFile.Request {
    var input: Input {
        get throws(CassetteError) {
            let content = try payload?.data
            let payload = content.map { Payload(.data($0), mediaType: mediaType.map(MediaType.init(rawValue:))) }
            return Input(
                url: try URL.cassette(url),
                headers: try HTTPHeaders(lines: headers),
                methodAndPayload: HTTPMethodAndPayload(method: method, payload: payload)
            )
        }
    }
}

extension CassetteFile.Answer {
    var response: Response {
        get throws(CassetteError) {
            var steps: [Redirection] = []
            for step in redirections ?? [] {
                let (from, to) = (try URL.cassette(step.from), try URL.cassette(step.to))
                steps.append(Redirection(from: from, statusCode: .from(code: step.status), to: to))
            }
            return Response(
                statusCode: .from(code: status),
                headers: try HTTPHeaders(lines: headers),
                payload: try payload?.data ?? Data(),
                trailers: try HTTPHeaders(lines: trailers),
                redirections: steps
            )
        }
    }
}
