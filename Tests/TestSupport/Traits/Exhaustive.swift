import Foundation
public import Testing

/// Whether the long tests run, too: those over all cuts, all pairs and many seeds. `make exhaustive` sets the variable.
public let isExhaustive = ProcessInfo.processInfo.environment["STARTSMALL_EXHAUSTIVE"] != nil

extension Trait where Self == ConditionTrait {
    /// Runs a test in `make exhaustive` only, since it takes seconds, or needs an idle machine.
    public static var exhaustive: Self { .enabled(if: isExhaustive, "a part of make exhaustive") }
}
