/// The content of a payload of several pieces, such as ``MultipartForm``, which are put together when they are sent.
package protocol PayloadAssembly: Hashable, Sendable, CustomStringConvertible {
    /// The pieces that are produced while they are sent.
    var streams: [PayloadStream] { get }

    /// Returns the bytes as they are sent, if none of the pieces is a stream.
    func source() throws(ConnectionError) -> PayloadSource

    /// Returns all pieces as one stream, if one of them is a stream.
    func stream() throws(ConnectionError) -> PayloadStream
}

extension Payload {
    /// A content of several pieces, which are put together when they are sent: see ``Content/multipartForm``.
    public struct Assembly: Hashable, Sendable, CustomStringConvertible {
        package let value: any PayloadAssembly

        package init(_ value: any PayloadAssembly) { self.value = value }

        /// The kind and the number of the pieces; never their content.
        public var description: String { "\(value)" }

        /// Returns whether two values have equal pieces.
        public static func == (left: Assembly, right: Assembly) -> Bool {
            AnyHashable(left.value) == AnyHashable(right.value)
        }

        /// Hashes the pieces.
        public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
    }
}
