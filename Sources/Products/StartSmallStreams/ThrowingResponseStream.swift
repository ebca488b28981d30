public import StartSmallCore

/// The values of a response as they arrive, for `for try await`, with backpressure from the consumer.
///
/// ```swift
/// do throws(CallError<TransformError<Never>>) {
///     for try await line in Endpoint.lines(.get("https://api.example.com/log")).values(via: .app) { print(line) }
/// } catch { … }
/// ```
///
/// The sequence is a ``ResponseStream`` that throws the first failure, whether of the call or of one part. After that,
/// the sequence ends, and the call is cancelled if it still runs. A consumer whose task is cancelled gets
/// ``ConnectionError/cancelled``.
public struct ThrowingResponseStream<Reason: Error, Value: Sendable>: AsyncSequence, Sendable {
    private let elements: ResponseStream<Reason, Value>

    init(_ elements: ResponseStream<Reason, Value>) { self.elements = elements }

    /// Creates an iterator, whose call begins when the first value is requested.
    public func makeAsyncIterator() -> Iterator {
        Iterator(elements.makeAsyncIterator())
    }

    /// An iterator over the values of one call.
    public struct Iterator: AsyncIteratorProtocol {
        private var elements: ResponseStream<Reason, Value>.Iterator?

        fileprivate init(_ elements: ResponseStream<Reason, Value>.Iterator) { self.elements = elements }

        /// Returns the next value; nil at the end.
        ///
        /// A value that has arrived is returned without leaving the actor.
        ///
        /// - Throws: the error for which there was no response, or for which the response or a part of it could not be
        ///   read, once.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(CallError<Reason>) -> Value? {
            switch await elements?.next() {
            case .right(let value)?: return value
            case .left(let failure)?:
                elements = nil
                throw failure
            case nil: return nil
            }
        }
    }
}
