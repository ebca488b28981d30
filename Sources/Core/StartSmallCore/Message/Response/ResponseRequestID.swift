import StartSmallSupport

extension Response {
    /// The name that the server has given to the request, for its support and its logs; nil without one.
    ///
    /// The fields are those of ``requestIDFields``. A value is a text of a stranger: only one of token characters (RFC
    /// 9110 5.6.2), and of at most 128 bytes, is returned. Each one is new: it is no label of a metric.
    public var requestID: String? { requestID(in: Self.requestIDFields) }

    /// Returns the name that the server has given to the request.
    ///
    /// - Parameter names: the names of the fields, of which the first one with a valid value counts.
    public func requestID(in names: [String]) -> String? {
        for name in names {
            if let value = headers.values(of: name).first, Self.isRequestID(value) { return value }
        }
        return nil
    }

    /// The fields of ``requestID``: those of most APIs, of AWS, of Azure, and of Cloudflare.
    public static let requestIDFields = ["x-request-id", "request-id", "x-amzn-requestid", "x-ms-request-id", "cf-ray"]

    private static func isRequestID(_ value: String) -> Bool {
        value.utf8.count <= longestRequestID && HTTPToken.isToken(value)
    }

    /// The longest request ID: 128 bytes, three times a UUID with a prefix.
    private static let longestRequestID = 128

    /// The request ID, and the header fields that tell most about an error; the number of the others.
    func descriptionOfHead(redacting redaction: Redaction) -> String {
        let id = requestID.map { ", request \(redaction.shown(text: $0))" } ?? ""
        let shown = headers.fields.filter { Self.describedFields.contains($0.name.lowercased()) }
        let rest = headers.fields.count - shown.count
        var parts = shown.map { $0.description(redacting: redaction) }
        if rest > 0 { parts.append("\(rest) more") }
        return parts.isEmpty ? id : "\(id) [\(parts.joined(separator: ", "))]"
    }

    /// The names of the fields that the description of a response shows: the form of the payload, and what to do next.
    private static let describedFields: Set<String> = [
        "content-type", "content-encoding", "location", "retry-after", "www-authenticate",
    ]
}
