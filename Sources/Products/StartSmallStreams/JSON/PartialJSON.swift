public import StartSmallSupport
public import StartSmallFoundation

/// JSON that is still arriving, such as the arguments of a tool that a language model calls.
///
/// ```swift
/// try arguments.append(delta)
/// if let json = arguments.completed() { shown = try? JSONDecoder().decode(Arguments.self, from: json) }
/// ```
///
/// Appending takes time for the new bytes only, whatever came before. The document is made when it is requested, by one
/// copy of all bytes: request it when it is shown, and not for each piece. Its members are those that have arrived, so
/// that a type that is decoded from it has optional ones.
///
/// The bytes are checked as JSON (RFC 8259) in UTF-8, but not their meaning: the decoder decides about members with the
/// same name, unpaired surrogates, and numbers that are too large.
public struct PartialJSON: Hashable, Sendable {
    /// The error that ended the reading; nil if there was none.
    public private(set) var error: PartialJSONError?

    /// The bytes before the error.
    private var bytes: [UInt8] = []
    private var scanner: PartialJSONScanner
    private let limit: Int

    /// Creates an empty document.
    ///
    /// - Parameters:
    ///   - depth: the maximum depth of nested values; 512 by default, the depth that `JSONDecoder` reads.
    ///   - limit: the maximum length in bytes; 32 MiB by default.
    public init(depth: Int = DefaultLimits.jsonDepth, limit: Int = DefaultLimits.eventBytes) {
        (scanner, self.limit) = (PartialJSONScanner(depth: depth), max(0, limit))
    }

    /// Whether all bytes are a whole document, after which only white space may follow, or the rest of a number.
    public var isComplete: Bool { error == nil && scanner.isWhole }

    /// Appends the next piece, which may be cut anywhere, for example within an escape.
    ///
    /// - Throws: the error of the first wrong byte. The bytes before it are kept, and each later call throws it again.
    public mutating func append(_ piece: consuming String) throws(PartialJSONError) {
        piece.withUTF8 { read($0) }
        if let error { throw error }
    }

    /// Appends the next piece of UTF-8, which may be cut anywhere, for example within a character.
    ///
    /// - Throws: the error of the first wrong byte. The bytes before it are kept, and each later call throws it again.
    public mutating func append(_ piece: Data) throws(PartialJSONError) {
        piece.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { read($0) } }
        if let error { throw error }
    }

    /// Returns the document of what has arrived, in which all that is open is closed; nil if no value has arrived.
    ///
    /// A member without a value is left out. So is a word such as `true` that has not ended, and a number after which
    /// nothing has arrived, since `12` may become `123`. A whole document is returned unchanged.
    ///
    /// - Parameter withOpenText: whether a string that has not ended is closed after its last whole character, or left
    ///   out.
    public func completed(withOpenText: Bool = true) -> Data? {
        let openCount = withOpenText ? scanner.openTextCount : nil
        let count = openCount ?? (scanner.isWhole ? bytes.count : scanner.completeCount)
        guard count > 0 else { return nil }
        var document = Data(capacity: count + 1 + scanner.closers.count)
        document.append(contentsOf: bytes[..<count])
        if openCount != nil { document.append(UInt8(ascii: "\"")) }
        document.append(contentsOf: scanner.closers.reversed())
        return document
    }

    private mutating func read(_ piece: UnsafeBufferPointer<UInt8>) {
        if error != nil { return }
        let allowed = UnsafeBufferPointer(rebasing: piece.prefix(limit - bytes.count))
        let (count, reason) = scanner.scan(allowed, after: bytes.count)
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: allowed[..<count]))
        if let reason {
            error = PartialJSONError(reason: reason, offset: bytes.count)
        } else if count < piece.count {
            error = PartialJSONError(reason: .tooLong(limit: limit), offset: bytes.count)
        }
    }
}

extension PartialJSON: CustomStringConvertible, CustomReflectable, MirroredByDescription {
    /// The size of the document, without its content, which may contain credentials.
    public var description: String { "\(isComplete ? "complete" : "partial") JSON of \(bytes.count) bytes" }
}

/// The error of bytes that are not JSON, or too many, and its position.
public struct PartialJSONError: Error, Hashable, Sendable {
    /// A reason for which reading has ended.
    public enum Reason: Hashable, Sendable {
        /// The byte can't follow the bytes before it, in JSON or in UTF-8.
        case unexpectedByte

        /// Values that are nested deeper than allowed.
        case tooDeep(limit: Int)

        /// More bytes than allowed.
        case tooLong(limit: Int)
    }

    /// The reason for which reading has ended.
    public var reason: Reason

    /// The number of bytes before the first wrong one.
    public var offset: Int
}

extension PartialJSONError: CustomStringConvertible {
    /// The reason and the position, without any content.
    public var description: String {
        switch reason {
        case .unexpectedByte: "invalid JSON at byte \(offset)"
        case .tooDeep(let limit): "values are nested deeper than \(limit) at byte \(offset)"
        case .tooLong(let limit): "JSON of more than \(limit) bytes"
        }
    }
}
