extension ConnectionError {
    /// The cause of an error, as the engine or the kit reported it.
    public struct Cause: Hashable, Sendable {
        /// The domain of the code, such as `NSURLErrorDomain`; `StartSmall` for causes that the kit reports.
        public var domain: String

        /// The number of the cause in its domain.
        public var code: Int

        /// The text of the cause, in which ``Redaction/standard`` has hidden the credentials of URLs.
        public var text: String

        /// The part of the response that had arrived; nil if not even the head had arrived.
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
    /// The text, the domain and code, and the partial response, on one line.
    public var description: String {
        let arrived = partial.map { ", after \($0)" } ?? ""
        return "\(text) (\(domain) \(code))\(arrived)"
    }
}
