package import StartSmallCore
public import StartSmallSupport
import StartSmallFoundation

/// The verbosity of a log.
public struct LogVerbosity: Sendable {
    /// The name: equal names stand for equal details.
    let name: String

    /// Whether an entry has the header fields.
    let showsHeaders: Bool

    /// Returns the text of a payload in an entry, of a request or of the response to it; nil for entries without
    /// payloads.
    let payloadText: (@Sendable (_ payload: Data, MediaType?, Redaction, _ request: Input) -> String)?

    /// Returns the command in an entry that sends the same request; nil for entries without one.
    let command: (@Sendable (Input, Redaction) -> String)?

    package init(
        name: String,
        showsHeaders: Bool = false,
        payloadText: (@Sendable (Data, MediaType?, Redaction, Input) -> String)? = nil,
        command: (@Sendable (Input, Redaction) -> String)? = nil
    ) {
        (self.name, self.showsHeaders, self.payloadText, self.command) = (name, showsHeaders, payloadText, command)
    }

    /// No logging: the wrapper is not even applied.
    public static let off = LogVerbosity(name: "off")

    /// Method, URL, status, sizes and duration.
    public static let line = LogVerbosity(name: "line")

    /// In addition to a line, header fields.
    public static let headers = LogVerbosity(name: "headers", showsHeaders: true)
}

extension LogVerbosity: Hashable, ComparedByKey {
    package var comparedKey: ByteEqualString { ByteEqualString(name) }
}
