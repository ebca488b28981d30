public import StartSmall

extension Connector {
    /// Returns a connector that must not be called: each request gets no response, and is recorded.
    ///
    /// ```swift
    /// let calls = Recorder<Input>()
    /// _ = await screen(via: .expectNoCalls(recording: calls))
    /// #expect(calls.summary == nil)
    /// ```
    ///
    /// A test that expects any failure would accept this one too, so such a test must check the recorded requests.
    ///
    /// - Parameter unexpected: records the requests.
    public static func expectNoCalls(recording unexpected: Recorder<Input>) -> Connector {
        .stub(recording: unexpected) { input in
            .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): no call is expected"))
        }
    }
}

extension Recorder where Element == Input {
    /// All inputs with redacted credentials, one per line; nil if there is none, as a test can expect.
    public var summary: String? {
        let elements = elements
        return elements.isEmpty ? nil : elements.map(\.description).joined(separator: "\n")
    }
}
