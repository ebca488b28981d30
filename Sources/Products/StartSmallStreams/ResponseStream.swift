public import StartSmallCore

/// The values of a response as they arrive, with backpressure from the consumer.
///
/// ```swift
/// for await errorOrLine in Endpoint.lines(.get("https://api.example.com/log")).stream(via: .app) {
///     print(errorOrLine.right ?? "…")
/// }
/// ```
///
/// Each element is a value, or the error for which there is none; the sequence itself never throws. A part that can't
/// be read is a single failed element, and the next part follows. After a failure of the call itself, the sequence
/// ends.
///
/// | The sequence ends | its last element | the call |
/// | --- | --- | --- |
/// | when the server ends the response | a value | succeeds |
/// | when the condition of the stream ends it (`until:`) | the value before | succeeds |
/// | when a value is a problem (``StreamEndpoint/failing(with:)``) | the problem | fails |
/// | when the call fails | the failure | fails |
/// | when the consumer's task is cancelled | ``ConnectionError/cancelled`` | is cancelled |
///
/// Each iteration makes its own call. The call begins when the first element is requested, unless the task is cancelled
/// by then, and is cancelled when its iterator is destroyed before the end. Chunks are read and parsed off the actor of
/// the consumer; a value that has arrived is returned without leaving that actor.
public struct ResponseStream<Reason: Error, Value: Sendable>: AsyncSequence, Sendable {
    private let endpoint: StreamEndpoint<Reason, Value>
    private let connector: Connector

    init(_ endpoint: StreamEndpoint<Reason, Value>, via connector: Connector) {
        (self.endpoint, self.connector) = (endpoint, connector)
    }

    /// Creates an iterator, whose call begins when the first element is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(StreamReader(endpoint, via: connector)) }

    /// An iterator over the values of one call.
    public struct Iterator: AsyncIteratorProtocol {
        private var reader: StreamReader<Reason, Value>

        fileprivate init(_ reader: StreamReader<Reason, Value>) { self.reader = reader }

        /// Returns the next value, or the error for which there is none; nil at the end.
        ///
        /// A value that has arrived is returned without leaving the actor.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> Fetched<Reason, Value>? {
            await reader.next()
        }
    }
}
