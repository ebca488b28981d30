import Foundation
import StartSmall

extension Scrubbing {
    /// The values in an exchange whose names tell that they are secret.
    func secrets(in exchange: Exchange) -> Set<String> {
        let response = exchange.response
        var found = secrets(in: exchange.input)
        found.formUnion(secrets(in: response.headers))
        found.formUnion(secrets(in: response.trailers))
        found.formUnion(secrets(in: response.recordedPayload))
        for step in response.redirections { found.formUnion(secrets(in: step.from).union(secrets(in: step.to))) }
        return found
    }

    /// The values in a request whose names tell that they are secret.
    func secrets(in input: Input) -> Set<String> {
        var found = secrets(in: input.headers)
        found.formUnion(secrets(in: input.url))
        found.formUnion(secrets(in: input.recordedPayload))
        return found
    }

    private func secrets(in headers: HTTPHeaders) -> Set<String> {
        headers.fields.reduce(into: []) { found, field in
            if redaction.verdict(on: field.name).hides(field.value.utf8) {
                found.formUnion(kept(field.secrets))
            } else {
                for url in field.references.compactMap({ URL(string: $0) }) { found.formUnion(secrets(in: url)) }
            }
        }
    }

    /// What the names of a URL's query tell, or of its fragment (RFC 6749 4.2.2), and who asks.
    private func secrets(in url: URL) -> Set<String> {
        let found = secrets(in: url.query(percentEncoded: true)).union(secrets(in: url.fragment(percentEncoded: true)))
        guard redaction.hidesUserInfo, let who = BasicCredentials(of: url) else { return found }
        return found.union(kept(who.secrets))
    }

    // By bytes: a mark with an accent on it is another `Character`, and the same to a server.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The secrets of a query, or of a form.
    private func secrets(in query: String?) -> Set<String> {
        Array((query ?? "").utf8).split(separator: UInt8(ascii: "&")).reduce(into: []) { found, item in
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1).map { part in
                let text = Self.text(part.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }[...])
                return text.removingPercentEncoding ?? text
            }
            guard parts.count == 2, redaction.verdict(on: parts[0]).hides(parts[1].utf8) else { return }
            found.formUnion(kept([parts[1]]))
        }
    }

    private func secrets(in payload: RecordedPayload) -> Set<String> {
        if payload.data.isEmpty { return [] }
        if let form = MultipartScrubbing(payload.data, payload.mediaType) {
            return form.others(by: redaction).reduce(into: kept(form.secrets(by: redaction))) { found, part in
                found.formUnion(secrets(in: EncodedText(part.content, part.mediaType), part.mediaType))
            }
        }
        return secrets(in: payload.text, payload.mediaType)
    }

    private func secrets(in text: EncodedText?, _ mediaType: MediaType?) -> Set<String> {
        guard let text = text?.text else { return [] }
        if mediaType?.beginning.isSame(as: MediaType.form.rawValue) == true { return secrets(in: text) }
        let payload = Data(text.utf8)
        if let value = try? JSONSerialization.jsonObject(with: payload) {
            return kept(secrets(inJSON: value, .shown))
        }
        return payload.split(separator: UInt8(ascii: "\n")).reduce(into: []) { found, line in
            // Behind what a line of another format begins with, such as `data:` or a record separator.
            let json = line.drop { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "[") }
            guard !json.isEmpty, let value = try? JSONSerialization.jsonObject(with: Data(json)) else { return }
            found.formUnion(kept(secrets(inJSON: value, .shown)))
        }
    }

    /// The texts below a name that is secret, and names that may be secrets.
    ///
    /// As deep as `JSONSerialization` reads, which is 512 levels.
    private func secrets(inJSON value: Any, _ verdict: NameVerdict) -> [String] {
        switch value {
        case let object as [String: Any]:
            let outer = verdict.ofElements
            return object.keys.filter { outer.hides(member: $0.utf8) }
                + object.flatMap { secrets(inJSON: $0.value, outer.ofMember(redaction.verdict(on: $0.key))) }
        case let array as [Any]:
            let inner = verdict.ofElements
            return array.flatMap { secrets(inJSON: $0, inner) }
        case let text as String: return verdict.hides(text.utf8) ? [text] : []
        default: return []
        }
    }

    /// Those that are long enough not to occur by chance, and are not replaced already.
    private func kept(_ texts: [String?]) -> Set<String> {
        Set(
            texts.compactMap { $0?.trimmingCharacters(in: .whitespaces) }
                .filter { $0.utf8.count >= Self.shortestSecret && !Redaction.placeholder.utf8.contains($0.utf8) }
                .filter { !$0.hasPrefix(Redaction.placeholder.dropLast()) }
        )
    }
}
