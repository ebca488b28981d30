extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    public static let standard = Connector.urlSession().wrapped(by: .limitPayload())
}
