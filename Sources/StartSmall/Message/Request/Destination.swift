public import Foundation

/// Where the payload of a successful response (2xx) goes; that of any other stays in memory, for the transform to read.
public indirect enum Destination: Hashable, Sendable {
    /// Into ``Response/payload``.
    case memory

    /// Into a file, which appears only when it is whole: until then, and if anything goes wrong, whatever was there stays.
    ///
    /// A success without a payload, as 204 and 205 are, is an empty file, in place of what was there. Once the file is
    /// in its place, cancelling comes too late: a call that ends with ``ConnectionError/cancelled`` has left no file. A
    /// transform reads the response when the file is in its place; what ``Endpoint/expecting(_:)`` refuses never is.
    ///
    /// Only a regular file, or nothing, is replaced: where a device, a pipe, a socket or a folder is, or a symbolic link to
    /// one, the call ends with ``ConnectionError/unwritableDestination(debugInfo:)``. Another symbolic link is replaced
    /// itself, and not what it leads to.
    ///
    /// With a URL of no file, the call ends before anything is sent, with
    /// ``ConnectionError/unwritableDestination(debugInfo:)``.
    case file(URL)

    /// To someone who takes it part by part and sets the pace.
    case consumer(PayloadConsumer)

    /// Who takes the payload part by part; nil if nobody does.
    public var consumer: PayloadConsumer? {
        if case .consumer(let consumer) = self { consumer } else { nil }
    }

    /// Whether it is a file.
    var isFile: Bool {
        if case .file = self { true } else { false }
    }

    /// Why nothing can go there, whatever the disk says; nil if something may.
    var flaw: ConnectionError? {
        guard case .file(let url) = self else { return nil }
        let shown = Redaction.standard.shown(url: url.absoluteString)
        if !url.isFileURL { return .unwritableDestination(debugInfo: "not a file URL: \(shown)") }
        // The system's functions take the path up to there, which is another file.
        let hasEnd = url.path(percentEncoded: false).utf8.contains(0)
        return hasEnd ? .unwritableDestination(debugInfo: "a NUL in the path: \(shown)") : nil
    }
}
