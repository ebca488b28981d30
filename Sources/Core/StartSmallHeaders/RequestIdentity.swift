public import StartSmallCore
public import StartSmallSupport

/// The credentials of a request: requests with other credentials may get other responses for the same URL.
///
/// What one identity has received is never given to another one, be it from a cache or from a shared request.
///
/// Credentials are the header fields whose names indicate a secret, as ``Redaction/standard`` knows them:
/// `Authorization`, `Cookie`, `Proxy-Authorization`, `X-API-Key` and others. User information and queries are part of
/// the URL. A client certificate is part of the connector, and is not seen here.
public struct RequestIdentity: Hashable, Sendable {
    /// The credential fields with names in lower case, sorted by name; fields of the same name keep their order.
    public let fields: [HTTPHeaders.Field]

    /// Reads the credentials of header fields.
    ///
    /// - Parameters:
    ///   - headers: the header fields of a request.
    ///   - names: names of further header fields that are credentials, ignoring case; for those whose names do not
    ///     indicate a secret.
    public init(_ headers: HTTPHeaders, alsoNaming names: Set<String> = []) {
        let names = Set(names.map { $0.lowercased() })
        let credentials = headers.fields.filter {
            Redaction.standard.hides($0.name) || names.contains($0.name.lowercased())
        }
        let lowercased = credentials.map { HTTPHeaders.Field(name: $0.name.lowercased(), value: $0.value) }
        // Sorted by position too: the sort of the standard library is not documented to be stable.
        fields = lowercased.enumerated().sorted {
            ($0.element.name, $0.offset) < ($1.element.name, $1.offset)
        }.map(\.element)
    }
}

extension RequestIdentity: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The names of the fields; never their values.
    public var description: String {
        fields.isEmpty ? "anonymous" : fields.map { Redaction.standard.shown(name: $0.name) }.joined(separator: ", ")
    }
}
