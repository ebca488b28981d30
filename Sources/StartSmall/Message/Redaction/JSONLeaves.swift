/// Redaction of JSON that is decoded again, and of values with ordinary names: the shape of the values stays.
extension JSONRedactor {
    /// Redacts a value and keeps its shape, for an array or object including all values inside of it.
    mutating func passLeaves(of decision: NameSensitivity) {
        // The sensitivities of the elements of each open array or object, innermost last, and of the next value.
        var (open, next): ([NameSensitivity], NameSensitivity) = ([], decision)
        repeat {
            guard place < limit else { return }
            switch text[place] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                next = next.ofElements
                open.append(next)
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open.popLast() == nil { return }
                place += 1
            case UInt8(ascii: ","):
                guard let outer = open.last else { return }
                next = outer
                place += 1
            case UInt8(ascii: "\""):
                if let outer = open.last, let member = passName(in: outer) {
                    next = outer.ofMember(member)
                } else {
                    passLeaf(of: next)
                }
            case let byte where Self.isSpace(byte): passSpace()
            default: passWord(of: next)
            }
        } while !open.isEmpty
    }

    /// Passes over the member name at the current position.
    ///
    /// A name that may be a secret is replaced, with a different text each time, so that the object keeps its number of
    /// members.
    ///
    /// - Returns: The sensitivity of the name; nil if there is no name here, and then the position stays.
    private mutating func passName(in outer: NameSensitivity) -> NameSensitivity? {
        let (end, isClosed) = endOfString(at: place)
        let colon = endOfSpace(at: end)
        guard colon < limit, text[colon] == UInt8(ascii: ":") else { return nil }
        let name = meaning(to: end, isClosed)
        if outer.hides(member: name) {
            hiddenNames += 1
            redactor.collect(name)
            let number = hiddenNames == 1 ? "" : " \(hiddenNames)"
            let hidden =
                redactor.numbering == nil
                ? Array("\"\(Placeholder.beginning)\(number)>\"".utf8) : placeholder(for: name)
            replace(to: end) { $0 += hidden }
        }
        place = colon + 1
        return decision(on: name)
    }

    /// Redacts a text that is a value; an empty text has nothing to hide.
    private mutating func passLeaf(of decision: NameSensitivity) {
        let (end, isClosed) = endOfString(at: place)
        let meant = meaning(to: end, isClosed)
        // In a recording, which is kept, words may be an authorization code, too.
        let isShown = decision == .hiddenIfOdd && !redactor.redaction.isSparing && NameSensitivity.isOfWords(meant)
        // The rest of a text that was cut off may have made it odd.
        let isHidden = isClosed ? !isShown && decision.hides(meant) : decision != .shown
        if !meant.isEmpty, isHidden {
            if Placeholder(meant) == nil { redactor.collect(meant) }
            let hidden = placeholder(for: meant)
            replace(to: end) { $0 += hidden }
        } else {
            passText(meant, to: end)
        }
    }

    /// Redacts a number or a word.
    ///
    /// A number becomes another number. A word stays. Anything that is not JSON is hidden like a text.
    private mutating func passWord(of decision: NameSensitivity) {
        let word = text[place..<limit].prefix { !Self.isSpace($0) && !Self.isMark($0) }
        guard NameSensitivity.isNumber(word) ? decision.hides(number: word) : decision.hides(word) else {
            place = max(word.endIndex, place + 1)
            return
        }
        let end = endOfValue(at: place)
        let isWhole = text[word.endIndex..<end].allSatisfy(Self.isSpace)
        if isWhole, Self.words.contains(Array(word)) {
            place = word.endIndex
        } else if isWhole, redactor.redaction.keepsKinds, NameSensitivity.isNumber(word) {
            replace(to: word.endIndex) { $0.append(UInt8(ascii: "0")) }
        } else {
            redactor.collect(readingsOf: text[place..<end])
            let hidden = placeholder(for: text[place..<end])
            replace(to: end) { $0 += hidden }
        }
    }

    /// The values that are neither a number nor a text (RFC 8259 3).
    private static let words = Set(["true", "false", "null"].map { Array($0.utf8) })

    /// Returns whether a byte ends a number or a word.
    private static func isMark(_ byte: UInt8) -> Bool {
        "\",:{}[]".utf8.contains(byte)
    }
}
