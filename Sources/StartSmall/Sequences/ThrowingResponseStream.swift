/// The values of a response as they arrive, for `for try await`; the consumer sets the pace.
///
/// ```swift
/// do throws(CallError<TransformError<Never>>) {
///     for try await line in Endpoint.lines(.get("https://api.example.com/log")).values(via: .app) { print(line) }
/// } catch { … }
/// ```
///
/// It is ``ResponseStream`` with the first failure thrown, be it of the call or of one part: after that nothing comes, and the
/// call is cancelled if it still runs. A consumer whose task is cancelled gets ``ConnectionError/cancelled``.
public struct ThrowingResponseStream<Problem: Decodable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value

    /// Why there was no response, or why it, or a part of it, could not be read.
    public typealias Failure = CallError<TransformError<Problem>>

    private let elements: ResponseStream<Problem, Value>

    init(_ elements: ResponseStream<Problem, Value>) { self.elements = elements }

    /// Creates an iterator, whose call begins when the first value is asked for.
    public func makeAsyncIterator() -> Iterator {
        Iterator(elements.makeAsyncIterator())
    }

    /// The values of one call.
    public struct Iterator: AsyncIteratorProtocol {
        private var elements: ResponseStream<Problem, Value>.Iterator?

        fileprivate init(_ elements: ResponseStream<Problem, Value>.Iterator) { self.elements = elements }

        /// The next value; nil if no more comes.
        ///
        /// - Throws: the first failure, once.
        public mutating func next() async throws(Failure) -> Value? {
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
