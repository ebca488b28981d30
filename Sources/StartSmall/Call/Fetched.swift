/// The outcome of a call: the reason why there was no response, or why it could not become a value, or the value.
public typealias Fetched<Failure: Error, Value> = Either<CallError<Failure>, Value>

/// The failure of a call, as ``Fetchable/value(via:)`` throws it: there was no response, or it could not become a value.
///
/// In a closure, such as that of a `Task`, Swift takes the thrown type of a `do` only from the statement itself:
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
    /// Why there was no response; nil if there was one.
    public var connectionError: ConnectionError? {
        left?.left
    }

    /// Why the response could not become a value; nil if it could, or if there was none.
    public var failure: Left.Right? {
        left?.right
    }
}

/// What every ``Either`` is, so that an extension can ask for one on a side of another.
public protocol EitherProtocol<Left, Right> {
    /// The type of what else may be.
    associatedtype Left

    /// The type of what was hoped for.
    associatedtype Right

    /// The left value, or nil if this is a right one.
    var left: Left? { get }

    /// The right value, or nil if this is a left one.
    var right: Right? { get }
}

extension Either: EitherProtocol {}
