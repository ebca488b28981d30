public import Foundation

/// Where the payload of a successful response (2xx) goes; that of any other stays in memory, for the transform to read.
public indirect enum Destination: Hashable, Sendable {
    /// Into ``Response/payload``.
    case memory

    /// Into a file, which appears only when it is whole: until then, and if anything goes wrong, whatever was there stays.
    ///
    /// A success without a payload, as 204 and 205 are, is an empty file, in place of what was there.
    case file(URL)

    /// To someone who takes it part by part and sets the pace.
    case receiver(Receiver)

    /// Who takes the payload part by part; nil if nobody does.
    public var receiver: Receiver? {
        if case .receiver(let receiver) = self { receiver } else { nil }
    }
}
