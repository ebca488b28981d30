import Foundation
import StartSmall

/// A request to any server, as the arguments describe it.
struct Call: Hashable {
    /// The method; nil for GET, or POST where there is a payload.
    var method: String?
    var url: String
    var headers: HTTPHeaders = [:]
    var queries: [URLQueryItem] = []
    var payload: PayloadArgument?
    var output = Output.terminalOrPipe
    var includesHead = false
    var isVerbose = false
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
}

/// The payload of a request, as the arguments describe it.
enum PayloadArgument: Hashable {
    /// Bytes: JSON, unless a header field has another type.
    case content(Source)

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
