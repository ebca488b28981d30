extension Connector {
    /// The platform's engine in the wrappers that people expect without asking: the default of every `via:`.
    public static let standard = Connector { _ in .noResponse(.cancelled) }.wrapped(by: .limitPayload())
}
