extension ConnectionError {
    /// What the engine, or the kit itself, said.
    public struct Cause: Hashable, Sendable {
        /// Whose the code is, such as `NSURLErrorDomain`; `StartSmall` where the kit said it.
        public var domain: String

        /// The number that this one has for it.
        public var code: Int

        /// Its own words for it, in which ``Redaction/standard`` has hidden the credentials of URLs.
        public var text: String

        /// What had arrived of a response, or nil if not even its head had.
        public var partial: Response?

        /// Creates a cause.
        public init(domain: String, code: Int, text: String, partial: Response? = nil) {
            self.domain = domain
            self.code = code
            self.text = Redaction.standard.shown(text: text)
            self.partial = partial
        }
    }
}

extension ConnectionError.Cause: CustomStringConvertible {
    /// What was said, on one line.
    public var description: String {
        let arrived = partial.map { ", after \($0)" } ?? ""
        return "\(text) (\(domain) \(code))\(arrived)"
    }
}
