import StartSmallCore
import StartSmallSupport
import StartSmallFoundation
import StartSmallHeaders

/// The part of a payload that has arrived, and the version that its rest must have (RFC 9110 13.1.5 and 14.2).
struct ReceivedPart: Equatable, Sendable {
    var offset: Int

    /// A strong entity tag, or a date of last modification that is as strong (RFC 9110 8.8.2.2).
    var validator: String

    /// The total number of bytes; nil if the server did not state it.
    var total: Int?

    /// The URL that the bytes are from, without its fragment; nil if it is not known.
    ///
    /// A validator is valid for one resource only (RFC 9110 8.8.1).
    var url: String?

    var range: String { "bytes=\(offset)-" }
}

extension Response {
    /// The minimum age, in seconds, of a modification date that no second version can have.
    ///
    /// The age is measured at the date of the response. RFC 9110 8.8.2.2 requires at least a second; a minute, as in
    /// RFC 7232 2.2.2, allows for clocks that differ.
    private static let strongAge: TimeInterval = 60

    /// The strong validator of this version of the payload, with which a part can be requested (RFC 9110 13.1.5).
    ///
    /// The validator is an entity tag, or if there is none, a modification date that is as strong. The value is nil if
    /// there is no such validator, if the server does not send parts, or if the payload was compressed for the
    /// transfer, so that the server counts its bytes differently.
    var rangeValidator: String? {
        guard headers["Content-Encoding"] == nil, headers["Accept-Ranges"]?.isSame(withoutCase: "none") != true else {
            return nil
        }
        if headers.contains("ETag") {
            guard let etag, !etag.isWeak else { return nil }
            return etag.description
        }
        guard let text = headers["Last-Modified"], let modified = HTTPDate.date(text),
            let sent = headers["Date"].flatMap({ HTTPDate.date($0) }),
            sent.timeIntervalSince(modified) >= Self.strongAge
        else { return nil }
        return HTTPDate.text(modified)
    }

    /// The length of the whole payload in bytes, as `Content-Length` declares it.
    ///
    /// The value is nil if the field does not declare the length, or if the payload was compressed.
    var wholeCount: Int? {
        guard headers["Content-Encoding"] == nil, !headers.contains("Transfer-Encoding"),
            let text = headers["Content-Length"], text.utf8.allSatisfy(\.isASCIIDigit)
        else { return nil }
        return Int(text)
    }

    /// Returns whether this 206 continues a payload where it broke off (RFC 9110 15.3.7).
    ///
    /// A continuation starts at the offset, is of the same resource and version, and has a known total number of bytes.
    /// With a content coding, the bytes are counted differently.
    func continues(_ received: ReceivedPart) -> Bool {
        guard let range = contentRange, range.start == received.offset, headers["Content-Encoding"] == nil,
            let total = received.total ?? range.total, range.end <= total
        else { return false }
        return received.isVersion(of: self, total: range.total)
    }

    /// The version of the whole payload, with which its rest can be requested; nil if it can't.
    var version: ReceivedPart? {
        guard statusCode == .ok, let validator = rangeValidator else { return nil }
        return ReceivedPart(offset: 0, validator: validator, total: wholeCount, url: resource)
    }
}

extension Response {
    /// The URL of the response without its fragment, which is not sent; nil if it is not known.
    fileprivate var resource: String? { url.map { URIEncoding.withoutFragment($0.absoluteString) } }
}

extension ReceivedPart {
    /// Returns whether a response is of this version: of the same resource, validator and complete length.
    ///
    /// A server that sends a part must also send its validator (RFC 9110 15.3.7), and a server that ignores `If-Range`
    /// sends the validator of another version.
    func isVersion(of response: Response, total other: Int?) -> Bool {
        if let total, let other, total != other { return false }
        let isTag = validator.utf8.first == UInt8(ascii: "\"")
        guard response.headers[isTag ? "ETag" : "Last-Modified"]?.isSame(as: validator) == true else { return false }
        guard let url, let otherURL = response.resource, otherURL != url else { return true }
        // A redirect to a newly signed URL changes the query. Tags are unique by resource only (RFC 9110 8.8.1), and a
        // query may name another resource: therefore the length must be the same as well.
        return isTag && total != nil && total == other && otherURL.withoutQuery == url.withoutQuery
    }
}

extension String {
    fileprivate var withoutQuery: Substring { prefix { $0 != "?" } }
}
