public import StartSmall

extension Connector {
    /// Connector that must not be called: every request gets no response, and is recorded.
    ///
    /// ```swift
    /// let calls = Recorder<Input>()
    /// _ = await screen(via: .expectNoCalls(recording: calls))
    /// #expect(calls.listed == nil)
    /// ```
    ///
    /// A test that expects any failure would take that one for it, so it has to look at what was recorded.
    public static func expectNoCalls(recording unexpected: Recorder<Input>) -> Connector {
        .stub(recording: unexpected) { input in
            .noResponse(.noDataOrNoResponse(debugInfo: "unexpected request \(input): no call was to be made"))
        }
    }
}

extension Recorder where Element == Input {
    /// All inputs, one a line, credentials redacted; nil if there is none, which a test can expect.
    public var listed: String? {
        let elements = elements
        return elements.isEmpty ? nil : elements.map(\.description).joined(separator: "\n")
    }
}
