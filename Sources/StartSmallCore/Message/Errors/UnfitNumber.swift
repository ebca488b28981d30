import StartSmallFoundation

extension JSONDecoder {
    /// Returns the error of a number that its type can't hold, with its place; nil if an error has another reason.
    ///
    /// Foundation's error says only that the text is not JSON. The text is decoded again with zeros in place of half of
    /// the numbers that may not fit, then of half of the others, and so on, until one number is left that causes the
    /// error. With a string in its place, the error has its type and its coding path.
    @inline(never)
    func unfitNumber<T: Decodable>(in data: Data, _ type: T.Type, after error: any Error) -> DecodingError? {
        guard DecodingError.isOfText(error), let text = DecodingError.json(in: data) else { return nil }
        var numbers = JSONParts.numbersThatMayNotFit(in: text)[...]
        let zeros = numbers.reduce(into: text) { $0.fill($1, with: "0") }
        func failure(_ text: [UInt8]) -> (any Error)? {
            do { _ = try decode(type, from: Data(text)) } catch { return error }
            return nil
        }
        func isCause(_ kept: ArraySlice<Range<Int>>) -> Bool {
            let some = kept.reduce(into: zeros) { $0.replaceSubrange($1, with: text[$1]) }
            return failure(some).map(DecodingError.isOfText) ?? false
        }
        while numbers.count > 1 {
            let half = numbers.prefix(numbers.count / 2)
            numbers = isCause(half) ? half : numbers.dropFirst(half.count)
        }
        guard let number = numbers.first, isCause(numbers) else { return nil }
        let changed = [number].reduce(into: zeros) { $0.fill($1, with: "\"\"") }
        guard case .typeMismatch(let type, let context)? = failure(changed) as? DecodingError else { return nil }
        return .unfit(String(decoding: text[number], as: UTF8.self), type, context.codingPath)
    }
}

extension DecodingError {
    /// The error of a number that its type can't hold, such as 1.5 for an `Int`.
    package static func unfit(_ number: String, _ type: any Any.Type, _ path: [any CodingKey]) -> DecodingError {
        let shown = number.utf8.count <= maximumDigits ? number : "of \(number.utf8.count) characters"
        return .typeMismatch(type, .init(codingPath: path, debugDescription: "The number \(shown) does not fit."))
    }

    /// The maximum length of a number in an error, 40 characters: as many as the largest integer has, with its sign.
    private static let maximumDigits = 40
}

extension JSONParts {
    /// Returns the places of all numbers but those of one digit, which fit every type.
    fileprivate static func numbersThatMayNotFit(in text: [UInt8]) -> [Range<Int>] {
        var (parts, numbers) = (JSONParts(text, .none, isSequence: false), [Range<Int>]())
        while let part = parts.next() {
            if part.kind == .number, part.range.count > 1 { numbers.append(part.range) }
        }
        return numbers
    }
}

extension [UInt8] {
    /// Replaces bytes by a text of ASCII that is not longer, and spaces.
    fileprivate mutating func fill(_ range: Range<Int>, with text: String) {
        replaceSubrange(range, with: (text + String(repeating: " ", count: range.count - text.utf8.count)).utf8)
    }
}
