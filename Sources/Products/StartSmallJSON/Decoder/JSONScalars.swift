import StartSmallFoundation

/// The scalars of a tape.
///
/// - Throws: The reason without the coding path, which only the error needs.
extension JSONTapeDecoder {
    func bool(_ index: Int) throws(JSONReadingFailure) -> Bool {
        switch tape.words[index].kind {
        case .true: return true
        case .false: return false
        // JSONDecoder calls only other types missing.
        default: throw .otherKind
        }
    }

    func string(_ index: Int) throws(JSONReadingFailure) -> String {
        let word = tape.words[index]
        guard let string = tape.string(word) else { throw word.kind == .null ? .null : .otherKind }
        return string
    }

    func integer<T: FixedWidthInteger & Decodable>(_ index: Int, as type: T.Type) throws(JSONReadingFailure) -> T {
        try tape.integer(tape.words[index], as: type)
    }

    func double(_ index: Int) throws(JSONReadingFailure) -> Double {
        if let number: Double = nonConforming(index) { return number }
        return try tape.double(tape.words[index])
    }

    func float(_ index: Int) throws(JSONReadingFailure) -> Float {
        if let number: Float = nonConforming(index) { return number }
        return try tape.float(tape.words[index])
    }

    /// Returns the number that a string stands for; nil if the value is anything else.
    private func nonConforming<T: BinaryFloatingPoint>(_ index: Int) -> T? {
        let word = tape.words[index]
        guard word.kind == .ascii || word.kind == .unicode,
            case .convertFromString(let infinity, let minusInfinity, let nan) = options.floats
        else { return nil }
        let text = tape.bytes(of: word)
        if text.elementsEqual(infinity.utf8) { return .infinity }
        if text.elementsEqual(minusInfinity.utf8) { return -.infinity }
        return text.elementsEqual(nan.utf8) ? .nan : nil
    }
}

/// The reason why a value of a tape is not of the requested type.
enum JSONReadingFailure: Error {
    /// The value is `null`, or of another kind.
    case null, otherKind

    /// A number that the type can't hold.
    case unfit
}

extension DecodingError {
    /// The error that `JSONDecoder` throws for a text that is not JSON; nil on platforms where it has more details.
    static var notJSON: DecodingError? {
        do {
            _ = try JSONDecoder().decode(Bool.self, from: Data("x".utf8))
        } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
            return .dataCorrupted(context)
        } catch {}
        return nil
    }
}
