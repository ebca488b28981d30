import Foundation
import StartSmall

/// The state of a recording, and of its progress in the file.
struct Recording {
    /// The exchanges to write, from an index on.
    struct Unwritten {
        var first: Int
        var texts: [Data]
        var written: Int
    }

    private struct Entry {
        /// The number of the call; 0 for an exchange from before this recording, which keeps its position.
        var number: Int
        var exchange: Exchange {
            didSet { (known, filter, shown) = (nil, nil, nil) }
        }

        /// The sizes of the payloads; nil for an exchange from before this recording.
        private var sizes: PayloadSizes?

        // The cached values are computed on first use.
        private var known: (text: Data, secrets: [Placeholder])?
        private var filter: ContentFilter?
        private var shown: (exchange: Exchange, secrets: [Placeholder])?

        init(number: Int, exchange: Exchange, _ sizes: PayloadSizes? = nil) {
            (self.number, self.exchange, self.sizes) = (number, exchange, sizes)
        }

        /// Returns the content of the exchange in the file, except for the numbers of secrets.
        private mutating func cut() -> (exchange: Exchange, secrets: [Placeholder]) {
            if let shown { return shown }
            let exchange = sizes?.cut(exchange) ?? exchange
            let cut = (exchange, exchange.placeholders)
            shown = cut
            return cut
        }

        /// Numbers the secrets in the exchange; returns false if its text in the file is unchanged.
        mutating func number(by numbers: inout FileNumbers) -> Bool {
            let secrets = cut().secrets.map { numbers.placeholder($0) }
            if let known, known.secrets == secrets { return false }
            known = nil
            return true
        }

        /// Returns the text of the exchange in the file.
        mutating func text(_ numbers: inout FileNumbers) -> Data {
            if let known { return known.text }
            let (exchange, secrets) = cut()
            let text = CassetteLayout.text(of: numbers.exchange(exchange))
            known = (text, secrets.map { numbers.placeholder($0) })
            return text
        }

        /// Hides secrets that became known later; returns false if the exchange contains none of them.
        mutating func hide(_ secrets: inout KnownSecrets) -> Bool {
            let filter = filter ?? ContentFilter(of: exchange.content)
            self.filter = filter
            let found = secrets.among(filter)
            if found.isEmpty { return false }
            let hidden = exchange.without(found)
            if hidden == exchange { return false }
            sizes?.note(exchange, hidden)
            exchange = hidden
            return true
        }
    }

    var number = 0
    private(set) var version = 0
    private var entries: [Entry]
    private var secrets = KnownSecrets()

    /// The numbers in the file, with the count of numbered exchanges, and the count of bound secrets.
    private var numbers: (file: FileNumbers, count: Int, bound: Int)
    private let allSecrets: NumberedSecrets

    /// The version in the file, and the index of the first exchange that is missing or outdated in the file.
    private var written = 0
    private var unwritten = 0

    init(_ exchanges: [Exchange], _ secrets: NumberedSecrets) {
        entries = exchanges.map { Entry(number: 0, exchange: $0) }
        allSecrets = secrets
        numbers = (FileNumbers(secrets), 0, 0)
    }

    mutating func add(
        _ exchange: Exchange,
        _ sizes: PayloadSizes,
        _ number: Int,
        replacing old: Int?,
        _ found: [String: Int],
        _ scrubbing: CassetteRedaction
    ) {
        version += 1
        // Earlier exchanges may contain newly known secrets.
        var new = KnownSecrets(secrets.add(found))
        if !new.isEmpty {
            for index in entries.indices where entries[index].hide(&new) { unwritten = min(unwritten, index) }
        }
        let scrubbed = scrubbing.scrubbed(exchange, without: secrets.among(exchange.content))
        var sizes = sizes
        sizes.note(exchange, scrubbed)
        let place = old ?? entries.lastIndex { $0.number < number }.map { $0 + 1 } ?? entries.startIndex
        if old == nil {
            entries.insert(Entry(number: number, exchange: scrubbed, sizes), at: place)
        } else {
            entries[place] = Entry(number: 0, exchange: scrubbed, sizes)
        }
        unwritten = min(unwritten, place)
    }

    /// Returns the exchanges to write for this version; nil if the file is up to date.
    mutating func takeUnwritten(_ goal: Int) -> Unwritten? {
        if written >= goal { return nil }
        numberSecrets()
        let texts = entries.indices[unwritten...].map { entries[$0].text(&numbers.file) }
        let taken = Unwritten(first: unwritten, texts: texts, written: written)
        (unwritten, written) = (entries.count, version)
        return taken
    }

    /// Numbers the secrets of unwritten exchanges, and of all exchanges again if one precedes numbered ones.
    private mutating func numberSecrets() {
        let bound = allSecrets.boundCount()
        if unwritten < numbers.count || bound != numbers.bound { numbers = (FileNumbers(allSecrets), 0, bound) }
        for index in numbers.count..<entries.count where entries[index].number(by: &numbers.file) {
            unwritten = min(unwritten, index)
        }
        numbers.count = entries.count
    }

    /// Notes that the writing failed.
    mutating func giveBack(_ taken: Unwritten) {
        unwritten = min(unwritten, taken.first)
        written = min(written, taken.written)
    }
}
