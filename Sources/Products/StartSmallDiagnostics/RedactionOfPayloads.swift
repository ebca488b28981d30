public import StartSmallCore
import StartSmallSupport
public import StartSmallFoundation

extension Redaction {
    /// Returns a payload on one line: its text with credentials redacted, or its type and size.
    ///
    /// Shown are JSON, forms and plain text in UTF-8, in the way in which their type or, without a type, their beginning
    /// says that they are written. In JSON and forms, the values of sensitive names are hidden; in plain text, the rest
    /// behind such a name and `=`. Secrets that are known by their form (JSON Web Tokens, tokens after `Bearer`, and keys
    /// such as `sk-…`, `ghp_…` and `AKIA…`) are hidden in each of them.
    ///
    /// Other payloads can't be searched for credentials, and so are shown only if the redaction is ``none``: multipart
    /// forms, events, XML, compressed payloads, JSON that can't be read, and plain text with a sensitive name and
    /// something else behind it than a word.
    ///
    /// - Parameters:
    ///   - payload: the bytes.
    ///   - mediaType: the media type of the payload; nil if it is not known.
    ///   - limit: the maximum number of bytes to show.
    public func shown(payload: Data, mediaType: MediaType?, limit: Int) -> String {
        shown(payload: payload, mediaType: mediaType, limit: limit, hiding: KnownSecrets())
    }

    /// Returns a payload on one line, without known secrets.
    func shown(payload: Data, mediaType: MediaType?, limit: Int, hiding secrets: KnownSecrets) -> String {
        let bytes = Array(payload.prefix(max(0, limit)))
        let isCut = bytes.count < payload.count
        // The last character may be incomplete.
        let texts = (isCut ? 0...min(3, bytes.count) : 0...0).lazy.map { bytes.dropLast($0) }
        guard let text = texts.first(where: { String(validating: $0, as: UTF8.self) != nil }),
            !text.contains(where: Self.isControl),
            case let known = secrets.places(in: Array(text), isCut: isCut).replaced(in: Array(text)).bytes,
            let shown = hiding(known, mediaType, isCut: isCut, folding: true) ?? (hidesNothing ? known[...] : nil)
        else {
            return Self.size(of: payload, mediaType)
        }
        let more = payload.count - text.count
        return String(decoding: shown, as: UTF8.self).onOneLine + (more > 0 ? "… and \(more) more bytes" : "")
    }

    /// Returns a payload with the credentials in it replaced; nil if it can't be searched for credentials.
    package func hiding(payload: Data, mediaType: MediaType?) -> Data? {
        if hidesNothing { return payload }
        let bytes = Array(payload)
        let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(where: Self.isControl)
        guard isText else { return nil }
        return hiding(bytes, mediaType, isCut: false, folding: false).map { Data($0) }
    }

    static func size(of payload: Data, _ mediaType: MediaType?) -> String {
        let type = mediaType?.beginning ?? ""
        let isType = type.utf8.allSatisfy { HTTPToken.isTokenByte($0) || $0 == UInt8(ascii: "/") } && !type.isEmpty
        return "\(payload.count) bytes of \(isType ? standard.hidingForms(in: type) : "an unknown type")"
    }

    /// Returns whether a byte does not occur in text for people, but in text of other encodings.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < UInt8(ascii: " ") && !"\t\n\r\u{1E}".utf8.contains(byte) || byte == 0x7F
    }

    /// Returns a text with its secrets replaced; nil if it can't be searched.
    private func hiding(
        _ text: [UInt8],
        _ mediaType: MediaType?,
        isCut: Bool,
        folding: Bool
    ) -> ArraySlice<UInt8>? {
        if let charset = mediaType?.charset, !Self.charsets.contains(where: { charset.isSame(as: $0) }) { return nil }
        let type = mediaType?.beginning
        let (isForm, isPlain) = (type == MediaType.form.rawValue, type == "text/plain")
        let first = text.first { !" \t\r\n\u{FEFF}".utf8.contains($0) }
        let beginsLikeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        // Some clients send JSON as a form, such as `curl -d`.
        if type?.contains("json") == true || beginsLikeJSON && (type == nil || isForm || isPlain) {
            return hiding(json: text, isCut: isCut, folding: folding)?[...]
        }
        if isForm { return hiding(form: text, isCut: isCut)[...] }
        return isPlain ? hiding(plain: text, isCut: isCut)?[...] : nil
    }

    /// Returns a form with the values of sensitive names replaced, and the values and names that contain a secret.
    private func hiding(form text: [UInt8], isCut: Bool) -> [UInt8] {
        let items = text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item in
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            let value = item[name.endIndex...].dropFirst()
            let isLast = isCut && item.endIndex == text.endIndex
            if hides(inForm: name, isCut: isLast && value.isEmpty) { return Array(Self.placeholder.utf8)[...] }
            let isHidden =
                sensitivity(of: URIEncoding.decodedForm(name)) != .shown || hides(inForm: value, isCut: isLast)
            return isHidden && !value.isEmpty ? item[..<value.startIndex] + Array(Self.placeholder.utf8) : item
        }
        return Array(items.joined(separator: CollectionOfOne(UInt8(ascii: "&"))))
    }

    private func hides(inForm written: ArraySlice<UInt8>, isCut: Bool) -> Bool {
        let text = Array(URIEncoding.decodedForm(written))
        return hidesEncoded(written) || hiding(plain: text, isCut: isCut) != text
    }

    /// Returns a plain text with its secrets replaced; nil if it may be of another syntax, with a secret in it.
    ///
    /// A name of a secret may be followed by a word, as in `the token expired`, or by `=`.
    private func hiding(plain text: [UInt8], isCut: Bool) -> [UInt8]? {
        if text.contains(UInt8(ascii: "\\")) { return nil }
        var rest = text[...]
        while !rest.isEmpty {
            let name = rest.prefix { $0 >= 0x80 || URIEncoding.isUnreserved($0) || "%[]$".utf8.contains($0) }
            rest = rest[name.endIndex...].dropFirst(name.isEmpty ? 1 : 0)
            if name.isEmpty { continue }
            let gap = rest.drop { HTTPToken.isBlank($0) }
            guard let next = gap.first else { continue }
            switch sensitivity(of: URIEncoding.decoded(name)) {
            case .hidden where next != UInt8(ascii: "="):
                if !URIEncoding.isAlphanumeric(next), !".,!?)".utf8.contains(next) { return nil }
            case .ordinary:
                let signed = gap.drop { "\"'".utf8.contains($0) || HTTPToken.isBlank($0) }
                guard let sign = signed.first, ":=".utf8.contains(sign) else { continue }
                let value = signed.dropFirst().drop { "\"'".utf8.contains($0) || HTTPToken.isBlank($0) }
                let word = value.prefix(Self.longestWord).prefix {
                    $0 > UInt8(ascii: " ") && !"\"'&,;".utf8.contains($0)
                }
                if NameSensitivity.ordinary.hides(word) { return nil }
            default: continue
            }
        }
        return hidingSecrets(in: text, isCut: isCut)
    }

    /// Returns a text with the secrets replaced that URLs and known forms reveal, and a last word that may be cut.
    func hidingSecrets(in text: [UInt8], isCut: Bool = false) -> [UInt8] {
        if hidesNothing { return text }
        let word = isCut ? text.reversed().prefix { $0 > UInt8(ascii: " ") } : []
        let isOpen = word.contains(where: Self.mayReveal) || word.contains(UInt8(ascii: "/"))
        let whole = isOpen ? text.dropLast(word.count) + Array(Self.placeholder.utf8) : text
        return hidingForms(in: hiding(text: whole), isCut: isCut)
    }

    /// The number of bytes of a value that tell whether it is a secret.
    private static let longestWord = 256

    /// The charsets in which the bytes of ASCII mean ASCII; text in another one is not searched.
    private static let charsets = ["utf-8", "utf8", "us-ascii", "iso-8859-1", "windows-1252"]
}

extension MediaType {
    /// The type without parameters, as far as it can be read, since the type may be illegal; empty outside of ASCII.
    ///
    /// Its letters are in lower case. To compare other texts, Swift would take quadratic time.
    package var beginning: String {
        // By scalars: a semicolon with a combining accent is another `Character`, but still a semicolon to a server.
        let scalars = rawValue.unicodeScalars.drop(while: \.isWhitespace)
        let type = scalars.prefix { $0 != ";" && $0 != "," && !$0.isWhitespace }
        guard type.allSatisfy(\.isASCII) else { return "" }
        return String(decoding: type.map { UInt8(ascii: $0).asciiLowercased }, as: UTF8.self)
    }
}
