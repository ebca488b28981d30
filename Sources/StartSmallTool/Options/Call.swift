import Foundation
import StartSmall

/// A request to any server, as the arguments describe it.
struct Call: Hashable {
    /// The method; nil for GET, or POST where there is a payload.
    var method: String?
    var url: String
    var headers: HTTPHeaders = [:]

    /// The names of header fields that are left out although the tool would add them.
    var omittedHeaders: Set<String> = []

    /// The user without a password, for which the tool asks; nil for none.
    var user: String?
    var queries: [URLQueryItem] = []
    var payload: PayloadArgument?

    /// Whether the payload is `application/x-www-form-urlencoded` instead of JSON.
    var isURLEncoded = false
    var output = Output.terminalOrPipe
    var includesHead = false
    var isVerbose = false
    var showsSecrets = false
    var tracing = false
    var code: Code?
    var followsRedirects = false
    var timeout: Duration?

    /// The maximum number of retries.
    var retries = 0

    /// The path of the directory with stored responses; nil for no cache.
    var cache: String?

    /// The path of the file with cookies; nil for no cookies.
    var cookies: String?

    /// The destination of the response's payload.
    enum Output: Hashable {
        /// Standard output: readable on a terminal, unchanged bytes elsewhere.
        case terminalOrPipe

        /// Standard output, as unchanged bytes.
        case rawBytes

        /// A file with this path.
        case file(String)

        /// A file named by the server or the URL.
        case namedFile
    }

    /// A form in which the request is printed instead of being sent.
    enum Code: String {
        case curl, swift
    }

    /// The method of the sent request.
    var sentMethod: String { method ?? (payload == nil ? "GET" : "POST") }

    /// The rules for credentials in all output.
    var redaction: Redaction { showsSecrets ? .none : .standard }
}

/// The payload of a request, as the arguments describe it.
enum PayloadArgument: Hashable {
    /// Bytes: JSON, unless a header field has another type.
    case content(Source)

    /// Items: one JSON object, or one URL-encoded form.
    case items([RequestItem])

    /// A form of several parts.
    case form([Field])

    /// A part of a form.
    struct Field: Hashable {
        var name: String
        var source: Source
    }

    /// The source of bytes.
    enum Source: Hashable {
        case text(String)
        case file(String)
        case standardInput

        /// Bytes that were read already.
        case data(Data)

        /// Reads `@-`, `@FILE` or a text.
        init(_ argument: String) {
            if argument == "@-" {
                self = .standardInput
            } else {
                self = argument.utf8.first == UInt8(ascii: "@") ? .file(String(argument.dropFirst())) : .text(argument)
            }
        }
    }
}
