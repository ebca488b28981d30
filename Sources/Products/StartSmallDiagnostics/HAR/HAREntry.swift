import StartSmallCore
import StartSmallSupport
import StartSmallFoundation

/// A request that has ended, as an entry of an HTTP Archive 1.2 (softwareishard.com/blog/har-12-spec).
struct HAREntry: Sendable {
    let input: Input

    /// The head of the response; nil for none.
    let head: Response?
    let body: RecordedBody
    let began: Date

    /// The engine's measurement; nil without exactly one.
    let measured: RequestTimings?

    /// The times until the head and the end of the response.
    let times: (head: Duration, end: Duration)

    /// Returns the exchange without the values of sensitive names, and these values.
    ///
    /// The beginning of a response's payload over the limit is searched for secrets.
    func hidden(by scrubbing: CassetteRedaction, upTo limit: Int) -> (exchange: Exchange, secrets: Set<[UInt8]>) {
        var (response, input, omitted) = (head ?? Exchange.nothing, input, String?.none)
        (response.payload, response.trailers) = (body.payload, body.trailers)
        if let payload = input.sentPayload, !payload.content.hasStream, size.map({ $0 > limit }) ?? true {
            omitted = omission(size, payload.mediaType, "in a file or form, or more than \(limit) bytes")
            let empty = Payload(.data(Data()), mediaType: payload.mediaType)
            input.methodAndPayload = HTTPMethodAndPayload(method: input.methodAndPayload.method, payload: empty)
        }
        let isOverLimit = body.count > body.payload.count
        let exchange = Exchange(
            input: (try? input.asRecorded()) ?? input,
            response: response,
            // The last bytes may be a part of a secret.
            chunks: isOverLimit || !body.isWhole ? [body.payload.count] : [],
            failure: body.error.map { RecordedFailure($0) },
            recorded: began,
            omittedInput: omitted
        )
        var (hidden, secrets) = scrubbing.hidden(exchange)
        if isOverLimit {
            hidden.response.payload = Data()
            hidden.omittedResponse = omission(body.count, response.headers.contentType, "more than \(limit) bytes")
        }
        return (hidden, secrets)
    }

    private func omission(_ size: Int64?, _ type: MediaType?, _ reason: String) -> String {
        "\(size.map { "\($0)" } ?? "unknown") bytes of \(type?.beginning ?? "an unknown type"): \(reason)"
    }

    /// The number of bytes of the request's payload in memory; nil for another payload.
    private var size: Int64? {
        switch input.methodAndPayload.payload?.content {
        case .data(let data): Int64(data.count)
        case nil: 0
        case .file, .assembled, .stream: nil
        }
    }
}

extension HAREntry {
    /// Returns the entry with a redacted exchange, on one line.
    ///
    /// Queries and forms are those of the redacted message, so that nothing is in them that is hidden elsewhere. Cookies
    /// are in the header fields only.
    func line(of exchange: Exchange) -> Data {
        let (timings, time) = phases
        let failure = exchange.failure.map { failure in failure.name + (failure.text.map { ": \($0)" } ?? "") }
        let trailers = exchange.response.trailers
        let address = measured?.remoteAddress?.split(separator: ":", omittingEmptySubsequences: false).dropLast()
        let entry = object([
            "startedDateTime": text(began.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))),
            "time": "\(time)", "request": request(exchange), "response": response(exchange), "cache": "{}",
            "timings": timings,
            "serverIPAddress": address.map { text($0.joined(separator: ":").filter { !"[]".contains($0) }) },
            // As in the archives of Chrome.
            "_error": failure.map(text), "_trailers": trailers.fields.isEmpty ? nil : pairs(trailers),
        ])
        return Data(entry.utf8)
    }

    private var version: String { text(measured?.httpVersion.map { "HTTP/\($0)" } ?? "") }

    private func request(_ exchange: Exchange) -> String {
        let (input, url) = (exchange.input, exchange.input.url.absoluteString)
        var headers = input.headers
        let payload = input.methodAndPayload.payload
        if let type = payload?.mediaType { headers.setIfAbsent("Content-Type", to: type.rawValue) }
        let body = String(validating: input.methodAndPayload.body ?? Data(), as: UTF8.self)
        let isForm = headers.contentType?.beginning == MediaType.form.rawValue
        let comment =
            exchange.omittedInput ?? (body == nil ? "bytes that are no text, for which HAR has no place" : nil)
        // mitmproxy needs a text.
        let postData = object([
            "mimeType": text(headers.contentType?.rawValue ?? ""), "text": text(body ?? ""),
            "params": isForm ? items((body ?? "").utf8) : nil, "comment": comment.map(text),
        ])
        return object([
            "method": text(input.methodAndPayload.method), "url": text(url), "httpVersion": version, "cookies": "[]",
            "headers": pairs(headers), "queryString": items(url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst()),
            "postData": payload.map { _ in postData }, "headersSize": "-1",
            "bodySize": "\(measured?.sentBytes ?? size ?? -1)",
        ])
    }

    private func response(_ exchange: Exchange) -> String {
        let response = exchange.response
        let body = String(validating: response.payload, as: UTF8.self)
        let content = object([
            "size": "\(self.body.count)", "mimeType": text(response.headers.contentType?.rawValue ?? ""),
            "text": exchange.omittedResponse == nil ? text(body ?? response.payload.base64EncodedString()) : nil,
            "encoding": body == nil ? text("base64") : nil, "comment": exchange.omittedResponse.map(text),
        ])
        return object([
            "status": "\(response.statusCode.code)", "statusText": text(response.statusCode.reason ?? ""),
            "httpVersion": version, "cookies": "[]", "headers": pairs(response.headers), "content": content,
            "redirectURL": text(response.headers["Location"] ?? ""), "headersSize": "-1",
            "bodySize": "\(measured?.receivedBytes ?? -1)",
        ])
    }

    /// The phases in milliseconds, -1 for one that did not take place or is not known, and their sum.
    ///
    /// `connect` includes `ssl`, and `wait` the sending, which no engine measures.
    private var phases: (timings: String, sum: Double) {
        // In whole microseconds, of which the sum is exact.
        var last: Int64 = 0
        func phase(from start: Int64, until end: Duration?) -> String {
            guard let (seconds, attoseconds) = end.map({ min($0, .maximumWait).components }) else { return "-1" }
            last = max(last, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
            return "\(Double(last - start) / 1_000)"
        }
        let (measured, end) = (measured, measured?.total ?? times.end)
        let blocked = phase(from: last, until: measured?.queued)
        let dns = phase(from: last, until: measured?.nameLookup)
        let found = last
        _ = phase(from: last, until: measured?.connect)
        let ssl = phase(from: last, until: measured?.secureConnection)
        let connect = phase(from: found, until: measured?.secureConnection ?? measured?.connect)
        // A request without a response has only waited for it.
        let wait = phase(from: last, until: measured == nil ? times.head : measured?.firstByte ?? end)
        let receive = phase(from: last, until: end)
        let timings = object([
            "blocked": blocked, "dns": dns, "connect": connect, "ssl": ssl, "send": "0", "wait": wait,
            "receive": receive,
        ])
        return (timings, Double(last) / 1_000)
    }
}

// MARK: - JSON

/// Returns an object of values in JSON, without those that are nil.
private func object(_ members: KeyValuePairs<String, String?>) -> String {
    "{\(members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ","))}"
}

private func text(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONString.write(Array(text.utf8)[...], to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

private func pairs(_ headers: HTTPHeaders) -> String { pairs(headers.fields.map { ($0.name, $0.value) }) }

private func pairs(_ pairs: [(String, String)]) -> String {
    "[\(pairs.map { object(["name": text($0), "value": text($1)]) }.joined(separator: ","))]"
}

/// Returns the decoded items of a query or a form.
private func items(_ encoded: some Sequence<UInt8>) -> String {
    let items = Array(encoded).split(separator: UInt8(ascii: "&")).map { item in
        let name = item.prefix { $0 != UInt8(ascii: "=") }
        let parts = [name, item[name.endIndex...].dropFirst()].map { URIEncoding.decodedForm($0) }
        return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    }
    return pairs(items)
}
