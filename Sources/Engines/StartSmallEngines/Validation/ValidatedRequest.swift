public import StartSmallCore
public import StartSmallFoundation
public import StartSmallSupport

/// A checked and complete input, as an engine sends it.
///
/// Every engine creates one before it does anything else, and so should a custom connector that writes to a network:
/// anything that could break a message (RFC 9112 11.1, 11.2) then never reaches the network.
public struct ValidatedRequest: Sendable {
    /// The method: a token (RFC 9110 5.6.2).
    public let method: String

    /// The whole URL: `http` or `https`, with a host and all query items, without user information and fragment.
    public let url: URL

    /// The legal header fields, with `Content-Type` and `Authorization` added.
    ///
    /// `Content-Type` is from the payload, and `Authorization` from the URL's user information (RFC 7617); each is
    /// added only if it is missing.
    public let headers: HTTPHeaders

    /// The bytes to send if they are in memory; nil if there is no payload, or one with a file or a stream in it.
    public let payload: Data?

    /// The bytes to send if some of them are in a file, to be read while they are sent; nil otherwise.
    public let source: PayloadSource?

    /// The bytes to send if some of them are produced while they are sent; nil otherwise.
    ///
    /// A connector starts the stream anew for each attempt: ``PayloadStream/chunks()``.
    public let stream: PayloadStream?

    /// Whether an engine may send the request a second time, although the server may have read it.
    ///
    /// A server may refuse a proof that it has seen (RFC 9449 11.1): the wrapper makes a new one for each attempt.
    package var isResendable: Bool { HTTPMethodAndPayload.isResendable(method, headers) && !headers.contains("DPoP") }

    /// Whether `Content-Length: 0` states the absence of a payload where the method allows one (RFC 9110 8.6).
    package var mustTellLength: Bool {
        switch method {
        case "POST", "PUT", "PATCH": true
        default: false
        }
    }

    /// Checks an input, and inspects the files of its payload without reading them.
    ///
    /// - Returns: the request; or, on the left, ``ConnectionError/malformedURL(debugInfo:)``,
    ///   ``ConnectionError/malformedMethod(debugInfo:)``, ``ConnectionError/malformedHeader(debugInfo:)`` or
    ///   ``ConnectionError/malformedPayload(debugInfo:)``.
    public static func from(_ input: Input) -> Either<ConnectionError, ValidatedRequest> {
        do throws(ConnectionError) {
            return .right(try ValidatedRequest(input))
        } catch {
            return .left(error)
        }
    }

    /// Checks an input, and inspects the files of its payload without reading them.
    ///
    /// - Throws: the errors of ``from(_:)``.
    package init(_ input: Input) throws(ConnectionError) {
        // Bound once: to copy a payload, even none, is a function call that looks up its size.
        var (stream, source): (PayloadStream?, PayloadSource?)
        let payload = input.methodAndPayload.payload
        method = try Self.checkedMethod(of: input.methodAndPayload, hasPayload: payload != nil)
        let target = try WireTarget(of: input)
        var headers = input.headers
        if let payload {
            if let mediaType = payload.mediaType { headers.setIfAbsent("Content-Type", to: mediaType.rawValue) }
            stream = try payload.content.stream()
            if stream == nil { source = try PayloadSource(payload.content) }
        }
        if let authorization = target.authorization { headers.setIfAbsent("Authorization", to: authorization) }
        try Self.check(headers, payloadCount: stream == nil ? source?.count ?? 0 : stream?.length)
        (self.headers, url, self.stream) = (headers, target.url, stream)
        self.payload = source?.inMemory
        self.source = self.payload == nil ? source : nil
    }

    private static func checkedMethod(
        of methodAndPayload: HTTPMethodAndPayload,
        hasPayload: Bool
    ) throws(ConnectionError) -> String {
        let method = methodAndPayload.method
        guard HTTPToken.isToken(method) else {
            throw .malformedMethod(
                debugInfo: "not a token (RFC 9110 9.1): \"\(Redaction.standard.shown(text: method))\""
            )
        }
        if method == "CONNECT" {
            throw .malformedMethod(debugInfo: "CONNECT opens a tunnel, which only an engine can use (RFC 9110 9.3.6)")
        }
        if hasPayload, ["GET", "HEAD", "TRACE"].contains(method) {
            throw .malformedMethod(debugInfo: "\(method) carries no payload (RFC 9110 9.3)")
        }
        return method
    }

    /// Checks the header fields.
    private static func check(_ headers: HTTPHeaders, payloadCount: Int?) throws(ConnectionError) {
        if headers.fields.isEmpty { return }
        for field in headers.fields {
            if let rejectionReason = field.rejectionReason { throw .malformedHeader(debugInfo: rejectionReason) }
        }
        if headers.contains("Transfer-Encoding") {
            throw .malformedHeader(debugInfo: "Transfer-Encoding is set by the engine (RFC 9112 6.1)")
        }
        let count = payloadCount.map { "\($0)" }
        if let length = headers.values(of: "Content-Length").first(where: { $0 != count }) {
            let actual = count.map { "\($0) bytes" } ?? "a stream of unknown length"
            throw .malformedHeader(debugInfo: "Content-Length \(length) with \(actual) (RFC 9110 8.6)")
        }
        if let condition = headers["If-Match"], condition.utf8.allSatisfy(HTTPToken.isBlank) {
            throw .malformedHeader(
                debugInfo: "If-Match without a version: the server might make the change unconditionally"
            )
        }
        if headers.values(of: "Host").count > 1 {
            throw .malformedHeader(debugInfo: "more than one Host (RFC 9112 3.2)")
        }
    }
}

extension ValidatedRequest: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The request on one line, credentials redacted, without its payload.
    public var description: String {
        let target = Redaction.standard.shown(url: url.absoluteString)
        let size = payload.map { "\($0.count) bytes" } ?? source?.description ?? stream?.description
        return "\(method) \(target) \(headers)\(size.map { ", \($0)" } ?? "")"
    }
}

extension CallContext {
    /// Checks that the files of a request are unchanged since an earlier request of the call.
    ///
    /// - Throws: ``ConnectionError/malformedPayload(debugInfo:)`` with the name of the changed file.
    package func checkFiles(of request: ValidatedRequest) throws(ConnectionError) {
        guard let source = request.source, let sentFiles = value(SentFiles.self) else { return }
        for case .file(let file) in source.pieces where sentFiles.first(file.stamp, of: file.path) != file.stamp {
            throw file.malformed("the file changed after an earlier request of the call")
        }
    }
}
