/// One of two values, of which the right one is what was hoped for.
///
/// `Either` says in the type what may go wrong, and loses nothing of it: unlike `Result`, its left side
/// need not be an error, so that failures of several phases nest without losing their types.
public enum Either<Left, Right> {
    /// What else may be, by convention the failure.
    case left(Left)

    /// What was hoped for.
    case right(Right)
}

extension Either {
    /// The left value, or nil if this is a right one.
    public var left: Left? {
        switch self {
        case .left(let left): left
        case .right: nil
        }
    }

    /// The right value, or nil if this is a left one.
    public var right: Right? {
        switch self {
        case .left: nil
        case .right(let right): right
        }
    }

    /// The same with its right value changed.
    public func map<NewRight>(_ change: (Right) -> NewRight) -> Either<Left, NewRight> {
        flatMap { .right(change($0)) }
    }

    /// The same with its left value changed.
    public func mapLeft<NewLeft>(_ change: (Left) -> NewLeft) -> Either<NewLeft, Right> {
        switch self {
        case .left(let left): .left(change(left))
        case .right(let right): .right(right)
        }
    }

    /// What comes of the right value, or the same left one.
    public func flatMap<NewRight>(_ next: (Right) -> Either<Left, NewRight>) -> Either<Left, NewRight> {
        switch self {
        case .left(let left): .left(left)
        case .right(let right): next(right)
        }
    }

    /// One value from whichever side there is.
    public func fold<Folded>(_ ifLeft: (Left) -> Folded, _ ifRight: (Right) -> Folded) -> Folded {
        switch self {
        case .left(let left): ifLeft(left)
        case .right(let right): ifRight(right)
        }
    }

    /// The same two values with their sides exchanged.
    public var swapped: Either<Right, Left> {
        fold({ .right($0) }, { .left($0) })
    }

    /// Runs `action` with the left value if there is one, and returns the same.
    @discardableResult
    public func onLeft(_ action: (Left) -> Void) -> Self {
        if case .left(let left) = self { action(left) }
        return self
    }

    /// Runs `action` with the right value if there is one, and returns the same.
    @discardableResult
    public func onRight(_ action: (Right) -> Void) -> Self {
        if case .right(let right) = self { action(right) }
        return self
    }
}

extension Either where Left: Error {
    /// What `body` returns as the right value, or what it throws as the left one.
    public init(catching body: () throws(Left) -> Right) {
        do {
            self = .right(try body())
        } catch {
            self = .left(error)
        }
    }

    /// The same as a `Result`.
    public init(_ result: Result<Right, Left>) {
        switch result {
        case .success(let right): self = .right(right)
        case .failure(let left): self = .left(left)
        }
    }

    /// The same as a `Result`, failed if left.
    public var result: Result<Right, Left> {
        fold({ .failure($0) }, { .success($0) })
    }

    /// The right value.
    ///
    /// - Throws: the left value.
    public func get() throws(Left) -> Right {
        switch self {
        case .left(let left): throw left
        case .right(let right): return right
        }
    }
}

extension Either: CustomStringConvertible, CustomDebugStringConvertible {
    /// The case and its value, such as `right(3)`: without the names of modules and generic parameters.
    public var description: String {
        fold({ "left(\(Self.text(of: $0)))" }, { "right(\(Self.text(of: $0)))" })
    }

    /// The text of ``description``, as arrays and failed tests show it.
    public var debugDescription: String { description }

    /// A value as it describes itself, and a text in quotes.
    private static func text(of value: some Any) -> String {
        (value as? String)?.debugDescription ?? String(describing: value)
    }
}

extension Either: Sendable where Left: Sendable, Right: Sendable {}
extension Either: Equatable where Left: Equatable, Right: Equatable {}
extension Either: Hashable where Left: Hashable, Right: Hashable {}
extension Either: Error where Left: Error, Right: Error {}

private enum EitherKey: String, CodingKey {
    case left, right
}

/// Encoded as an object of one member, `{"left": …}` or `{"right": …}`.
extension Either: Encodable where Left: Encodable, Right: Encodable {
    /// Writes the one member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EitherKey.self)
        switch self {
        case .left(let left): try container.encode(left, forKey: .left)
        case .right(let right): try container.encode(right, forKey: .right)
        }
    }
}

extension Either: Decodable where Left: Decodable, Right: Decodable {
    /// Reads the one member; an object with both or with neither is an error.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: EitherKey.self)
        switch (container.contains(.left), container.contains(.right)) {
        case (true, false): self = .left(try container.decode(Left.self, forKey: .left))
        case (false, true): self = .right(try container.decode(Right.self, forKey: .right))
        default:
            let expected = "Expected exactly one of \"left\" and \"right\"."
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: expected))
        }
    }
}
