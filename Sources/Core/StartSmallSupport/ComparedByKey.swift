/// A type whose values are equal if their keys are.
package protocol ComparedByKey: Hashable {
    /// The parts of a value that are compared, in the form in which they are compared.
    associatedtype ComparedKey: Hashable

    /// The key by which this value is compared; creating it must not allocate memory if values are compared often.
    var comparedKey: ComparedKey { get }
}

extension ComparedByKey {
    /// Whether both have the same key.
    ///
    /// - Parameters:
    ///   - left: a value.
    ///   - right: another value.
    public static func == (left: Self, right: Self) -> Bool {
        left.comparedKey == right.comparedKey
    }

    /// Hashes the key that `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparedKey)
    }
}

package struct HashablePair<First: Hashable, Second: Hashable>: Hashable {
    private let first: First
    private let second: Second

    package init(_ first: First, _ second: Second) {
        (self.first, self.second) = (first, second)
    }
}
