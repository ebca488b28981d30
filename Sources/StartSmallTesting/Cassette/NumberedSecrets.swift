import StartSmall
import Synchronization

/// The numbers that identify the secrets of one cassette during recording or replay.
///
/// A number of the file represents a secret that is no longer known. A secret of this process has a number from
/// ``firstOfProcess`` on, until it is bound to a number of the file; therefore the two kinds can't be confused.
struct NumberedSecrets: Sendable {
    /// The number of a process's first secret: more than the secrets of any file, and within 32 bits.
    static let firstOfProcess = 1_000_000_000

    /// Returns the number of a value's secret; nil if the value is a placeholder without a number.
    let number: @Sendable (_ value: HiddenValue) -> Int?

    /// Returns the placeholder with the number of the file, if its secret is bound to one.
    let resolved: @Sendable (Placeholder) -> Placeholder

    /// Returns whether a placeholder represents a secret of this cassette.
    ///
    /// Otherwise the placeholder is a text that happens to look like one.
    let isOwn: @Sendable (Placeholder) -> Bool

    /// Returns whether a secret of this process may be the one that a number of the file represents.
    let canBind: @Sendable (_ secret: Int, _ number: Int) -> Bool

    /// Binds a secret of this process to a number of the file, unless either is bound already.
    let bind: @Sendable (_ secret: Int, _ number: Int) -> Void

    /// Returns the number of bound secrets.
    let boundCount: @Sendable () -> Int

    /// Creates the numbers of a cassette.
    ///
    /// - Parameter exchanges: the exchanges of the file.
    init(in exchanges: [Exchange] = []) {
        let state = Mutex(State(exchanges))
        number = { value in state.withLock { $0.number(of: value) } }
        resolved = { placeholder in state.withLock { $0.resolved(placeholder) } }
        isOwn = { placeholder in state.withLock { $0.isOwn(placeholder) } }
        canBind = { secret, number in state.withLock { $0.canBind(secret, to: number) } }
        bind = { secret, number in state.withLock { $0.bind(secret, to: number) } }
        boundCount = { state.withLock(\.bound.count) }
    }

    private struct State {
        /// The numbers of the file, and those that first occur in a response.
        private let inFile: Set<Int>
        private let reported: Set<Int>

        private var numbers: [ByteEqualString: Int] = [:]
        private var next = NumberedSecrets.firstOfProcess
        private(set) var bound: [Int: Int] = [:]
        private var taken: Set<Int> = []

        init(_ exchanges: [Exchange]) {
            var (asked, reported): (Set<Int>, Set<Int>) = ([], [])
            for exchange in exchanges {
                asked.formUnion(exchange.input.placeholders.compactMap(\.number).filter { !reported.contains($0) })
                let answered = exchange.placeholders.compactMap(\.number).filter { !asked.contains($0) }
                reported.formUnion(answered)
            }
            (inFile, self.reported) = (asked.union(reported), reported)
        }

        mutating func number(of value: HiddenValue) -> Int? {
            if case .reading(let reading, let whole) = value {
                let text = ByteEqualString(HTTP1Lines.text(reading[...]))
                if let number = numbers[text] { return bound[number] ?? number }
                let number = number(of: .value(whole))
                numbers[text] = number
                return number
            }
            let readings = value.readings
            for reading in readings {
                if let placeholder = Placeholder(Array(reading.utf8)[...]), isOwn(placeholder) {
                    return resolved(placeholder).number
                }
            }
            let keys = readings.map { ByteEqualString($0) }
            let known = keys.compactMap { numbers[$0] }.first
            let number = known ?? next
            if known == nil { next += 1 }
            for reading in keys where numbers[reading] == nil { numbers[reading] = number }
            return bound[number] ?? number
        }

        func resolved(_ placeholder: Placeholder) -> Placeholder {
            Placeholder(placeholder.number.map { bound[$0] ?? $0 })
        }

        func isOwn(_ placeholder: Placeholder) -> Bool {
            guard let number = placeholder.number else { return true }
            return inFile.contains(number) || (NumberedSecrets.firstOfProcess..<next).contains(number)
        }

        /// Returns whether a secret may be bound to a number of the file.
        ///
        /// A number that first occurs in a response represents the placeholder in that response when the response is
        /// replayed, so no other secret is bound to the number.
        func canBind(_ secret: Int, to number: Int) -> Bool {
            secret >= NumberedSecrets.firstOfProcess && bound[secret] == nil
                && inFile.contains(number) && !reported.contains(number) && !taken.contains(number)
        }

        mutating func bind(_ secret: Int, to number: Int) {
            guard canBind(secret, to: number) else { return }
            bound[secret] = number
            taken.insert(number)
        }
    }
}

extension HiddenValue {
    /// The texts that identify a secret in JSON, a URL, a form or a field.
    fileprivate var readings: [String] {
        switch self {
        case .value(let bytes), .reading(let bytes, _):
            let text = HTTP1Lines.text(bytes[...])
            let isEncoded = bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
            if !isEncoded { return [text] }
            return [
                text, HTTP1Lines.text(URIEncoding.decoded(bytes[...])),
                HTTP1Lines.text(URIEncoding.decodedForm(bytes[...])),
            ]
        case .userInfo(let bytes): return BasicCredentials(Array(URIEncoding.decoded(bytes[...]))).wholes
        case .field(let name, let value): return HTTPHeaders.Field(name: name, value: value).credentials
        }
    }

    /// Returns the texts to find elsewhere, each with its number.
    func secrets(_ numbers: NumberedSecrets) -> [(text: String, number: Int?)] {
        let own = numbers.number(self)
        let texts: [String]
        switch self {
        case .value(let bytes), .reading(let bytes, _): return [(HTTP1Lines.text(bytes[...]), own)]
        case .userInfo(let bytes): texts = BasicCredentials(bytes).secrets
        case .field(let name, let value): texts = HTTPHeaders.Field(name: name, value: value).secrets
        }
        var wholes = Set(readings.map { ByteEqualString($0) })
        if case .field(_, let value) = self { wholes.insert(ByteEqualString(value)) }
        return texts.map { text in
            (text, wholes.contains(ByteEqualString(text)) ? own : numbers.number(.value(Array(text.utf8))))
        }
    }
}
