// The part of Foundation that the compiled files use, since the 32-bit target has no Foundation: see run.sh.
public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable {
    public var timeIntervalSince1970: Double

    public init(timeIntervalSince1970: Double) { self.timeIntervalSince1970 = timeIntervalSince1970 }

    public init() { self.init(timeIntervalSince1970: 0) }

    public static func < (left: Date, right: Date) -> Bool { left.timeIntervalSince1970 < right.timeIntervalSince1970 }
}
