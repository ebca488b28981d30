/// A value of one of two types, of which the right one is by convention the success.
///
/// The type of an `Either` states what can go wrong. Unlike in `Result`, the left value need not be an error, so that
/// failures of several phases can be nested without losing their types.
public enum Either<Left, Right> {
    /// The other value, by convention the failure.
    case left(Left)

    /// The expected value, by convention the success.
    case right(Right)
}

extension Either {
    /// The left value; nil if there is a right one.
    @inlinable
    public var left: Left? {
        switch self {
        case .left(let left): left
        case .right: nil
        }
    }

    /// The right value; nil if there is a left one.
    @inlinable
    public var right: Right? {
        switch self {
        case .left: nil
        case .right(let right): right
        }
    }

    /// Maps the right value with a function; a left value stays.
    @inlinable
    public func map<NewRight>(_ change: (Right) -> NewRight) -> Either<Left, NewRight> {
        flatMap { .right(change($0)) }
    }

    /// Maps the left value with a function; a right value stays.
    @inlinable
    public func mapLeft<NewLeft>(_ change: (Left) -> NewLeft) -> Either<NewLeft, Right> {
        switch self {
        case .left(let left): .left(change(left))
        case .right(let right): .right(right)
        }
    }

    /// Returns the result of a function of the right value, or the left value if there is one.
    @inlinable
    public func flatMap<NewRight>(_ next: (Right) -> Either<Left, NewRight>) -> Either<Left, NewRight> {
        switch self {
        case .left(let left): .left(left)
        case .right(let right): next(right)
        }
    }

    /// Returns one value of either side, by the function for that side.
    ///
    /// - Parameters:
    ///   - ifLeft: maps the left value.
    ///   - ifRight: maps the right value.
    @inlinable
    public func fold<Folded>(_ ifLeft: (Left) -> Folded, _ ifRight: (Right) -> Folded) -> Folded {
        switch self {
        case .left(let left): ifLeft(left)
        case .right(let right): ifRight(right)
        }
    }

    /// Runs a function with the left value, if there is one, and returns this value unchanged.
    @discardableResult
    public func onLeft(_ action: (Left) -> Void) -> Self {
        if case .left(let left) = self { action(left) }
        return self
    }

    /// Runs a function with the right value, if there is one, and returns this value unchanged.
    @discardableResult
    public func onRight(_ action: (Right) -> Void) -> Self {
        if case .right(let right) = self { action(right) }
        return self
    }
}

extension Either where Left: Error {
    /// Creates a right value with the result of a function, or a left value with the error that it throws.
    public init(catching body: () throws(Left) -> Right) {
        do {
            self = .right(try body())
        } catch {
            self = .left(error)
        }
    }

    /// Creates a value from a `Result`: right for a success, left for a failure.
    public init(_ result: Result<Right, Left>) {
        switch result {
        case .success(let right): self = .right(right)
        case .failure(let left): self = .left(left)
        }
    }

    /// The value as a `Result`: a failure for a left value.
    public var result: Result<Right, Left> {
        fold({ .failure($0) }, { .success($0) })
    }

    /// Returns the right value.
    ///
    /// - Throws: the left value, if there is one.
    public func get() throws(Left) -> Right {
        switch self {
        case .left(let left): throw left
        case .right(let right): return right
        }
    }
}

extension Either: CustomStringConvertible {
    /// The case and its value, such as `right(3)`, without the names of modules and generic parameters.
    public var description: String {
        fold({ "left(\(Self.text(of: $0)))" }, { "right(\(Self.text(of: $0)))" })
    }

    /// Returns the description of a value; of a string, in quotes.
    private static func text(of value: some Any) -> String {
        (value as? String)?.debugDescription ?? String(describing: value)
    }
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
extension Either: Error where Left: Error, Right: Error {}
