package import StartSmallFoundation
public import StartSmallSupport

/// The content of a payload of several pieces, such as a multipart form, which are put together when they are sent.
package protocol PayloadAssembly: Hashable, Sendable, CustomStringConvertible {
    /// The pieces that are produced while they are sent.
    var streams: [PayloadStream] { get }

    /// Returns the pieces as they are sent, none of which is an assembly, if they can be sent.
    func pieces() throws(ConnectionError) -> [Payload.Content]

    /// Makes a function that gets the bytes of a file in order, and returns whether they would end a part.
    var delimiterFinder: @Sendable () -> DelimiterFinder { get }

    /// Returns all pieces as one stream, if one of them is a stream.
    func stream() throws(ConnectionError) -> PayloadStream
}

/// A function that gets the bytes of a file in order, and returns whether they would end a part of a form.
package typealias DelimiterFinder = @Sendable (Data) -> Bool

extension ConnectionError {
    /// The error for a content whose bytes do not exist before they are sent.
    package static let payloadIsStream = ConnectionError.malformedPayload(
        debugInfo: "a stream can't be read before it is sent: its bytes are produced for each attempt"
    )
}

extension Payload {
    /// A content of several pieces, which are put together when they are sent: see ``Content/multipartForm``.
    public struct Assembly: Hashable, ComparedByKey, Sendable, CustomStringConvertible {
        package let value: any PayloadAssembly

        package init(_ value: any PayloadAssembly) { self.value = value }

        /// The kind and the number of the pieces; never their content.
        public var description: String { "\(value)" }

        package var comparedKey: AnyHashable { AnyHashable(value) }
    }
}
