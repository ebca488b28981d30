/// The result of a call: its value, or the error of its connection or of its transform.
public typealias Fetched<Failure: Error, Value> = Either<CallError<Failure>, Value>

/// The error of a call: there was no response, or the response could not become a value.
///
/// Functions such as ``Fetchable/value(via:)`` throw this error.
///
/// In a closure, for example of a `Task`, Swift takes the thrown type of a `do` only from the statement itself:
///
/// ```swift
/// Task {
///     do throws(CallError<TransformError<Never>>) {
///         show(try await zen.value())
///     } catch {
///         switch error {
///         case .left(let connectionError): show(connectionError)
///         case .right(let transformError): show(transformError)
///         }
///     }
/// }
/// ```
public typealias CallError<Failure: Error> = Either<ConnectionError, Failure>

extension Either where Left: EitherProtocol, Left.Left == ConnectionError {
    /// The reason why there was no response; nil if there was one.
    public var connectionError: ConnectionError? {
        left?.left
    }

    /// The reason why the response could not become a value; nil if it could, or if there was no response.
    public var failure: Left.Right? {
        left?.right
    }
}

/// A protocol that only ``Either`` conforms to, for extensions that require a side of one to be another ``Either``.
public protocol EitherProtocol<Left, Right> {
    /// The type of the left value.
    associatedtype Left

    /// The type of the right value.
    associatedtype Right

    /// The left value; nil if there is a right one.
    var left: Left? { get }

    /// The right value; nil if there is a left one.
    var right: Right? { get }
}

extension Either: EitherProtocol {}
