import StartSmallSupport

/// The header fields with challenges and their parameters (RFC 9110 11.2, 11.3 and 11.6), read in linear time.
enum AuthenticationField {
    /// A challenge that is being read.
    private struct Challenge {
        let scheme: String

        /// Nil if they are malformed, or if one is repeated.
        var parameters: [String: String]? = [:]

        mutating func add(_ name: String, _ value: String?) {
            guard let value, parameters?.updateValue(value, forKey: name) == nil else { return parameters = nil }
        }
    }

    /// The maximum length of a field in bytes: 8 KiB, the limit of the field that returns most of it.
    ///
    /// That is `LimitRequestFieldSize` of Apache and `large_client_header_buffers` of nginx.
    static let maximumLength = 8 * 1024

    /// Returns the challenges of a value of `WWW-Authenticate` (RFC 9110 11.6.1) that can be read; none for a value that
    /// is too long.
    static func challenges(of value: String, upTo limit: Int = maximumLength) -> [AuthenticationChallenge] {
        guard value.utf8.count <= limit else { return [] }
        return challenges(HeaderScanner(value), []).compactMap { challenge in
            challenge.parameters.map { AuthenticationChallenge(scheme: challenge.scheme, parameters: $0) }
        }
    }

    /// Returns the parameters of a value of `Authentication-Info` (RFC 9110 11.6.3); nil if they are malformed.
    static func parameters(of value: String) -> [String: String]? {
        guard value.utf8.count <= maximumLength else { return nil }
        let found = challenges(HeaderScanner(value), [Challenge(scheme: "")])
        return found.count == 1 ? found[0].parameters : nil
    }

    private static func challenges(_ field: HeaderScanner, _ found: [Challenge]) -> [Challenge] {
        var (field, found) = (field, found)
        while true {
            while field.skipBlanks() || field.take(",") {}
            if field.isAtEnd { return found }
            let name = field.token().lowercased()
            let hasBlanks = field.skipBlanks()
            if !name.isEmpty, !field.isAt("="), hasBlanks || field.isAtEnd || field.isAt(",") {
                found.append(Challenge(scheme: name))
                continue
            }
            // A token68, such as that of Negotiate, is no value: it makes the parameters of its challenge malformed.
            let value = !name.isEmpty && field.take("=") ? parameter(&field) : nil
            if !found.isEmpty { found[found.count - 1].add(name, value) }
            if value == nil { field.skip(to: ",") }
        }
    }

    /// Reads the value of a parameter, and the blanks around it; nil if it is none, or if something else follows.
    private static func parameter(_ field: inout HeaderScanner) -> String? {
        field.skipBlanks()
        let isQuoted = field.take("\"")
        let bytes = isQuoted ? field.strictlyQuoted() : field.tokenBytes()
        field.skipBlanks()
        guard let bytes, isQuoted || !bytes.isEmpty, field.isAtEnd || field.isAt(",") else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
