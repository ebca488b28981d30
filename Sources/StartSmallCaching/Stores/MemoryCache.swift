import Foundation
import StartSmall

/// The responses of a cache in memory, with the order in which their keys were used.
///
/// All operations take constant time: the keys are a doubly linked list, and two dictionaries lead to them.
struct MemoryCache {
    /// A key with its responses, and the keys that were used after and before it.
    private struct Slot {
        let url: ByteText
        let identity: ByteText

        /// The responses, one for each variant, the newest one last.
        var responses: [StoredResponse] = []

        /// Their costs in bytes.
        var costs: [Int] = []
        var newer: Int?
        var older: Int?
    }

    /// The slots of one URL: nearly always a single one, which needs no dictionary.
    private struct Identities {
        var first: (identity: ByteText, slot: Int)?
        var others: [ByteText: Int] = [:]

        var slots: [Int] { (first.map { [$0.slot] } ?? []) + others.values }

        var count: Int { (first == nil ? 0 : 1) + others.count }

        subscript(identity: ByteText) -> Int? {
            get { if let first, first.identity == identity { first.slot } else { others[identity] } }
            set {
                if first?.identity == identity {
                    first = newValue.map { (identity, $0) }
                } else if let newValue, first == nil, others.isEmpty {
                    first = (identity, newValue)
                } else {
                    others[identity] = newValue
                }
            }
        }
    }

    /// The assumed memory of a response without its texts and its payload, in bytes: values, array and dictionary.
    static let overhead = 1_024

    /// The assumed memory of a header field without its texts, in bytes: two strings, and the headers of their storage.
    static let fieldOverhead = 96

    /// The part of the limit that a response may take: an eighth, so that one response removes few others.
    static let entryShare = 8

    /// The maximum number of variants of a key; all of them are compared in each hit.
    static let maximumVariants = EntryAddress.maximumVariants

    /// The cost of all responses, in bytes.
    private(set) var cost = 0

    private let limit: Int
    private var index: [ByteText: Identities] = [:]
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var newest: Int?
    private var oldest: Int?

    /// Creates an empty cache with a limit in bytes.
    init(limit: Int) { self.limit = max(0, limit) }

    /// Returns the assumed memory of a response and its key, in bytes.
    static func cost(of stored: StoredResponse, _ key: CacheKey) -> Int {
        var texts = 0
        for headers in [stored.response.headers, stored.response.trailers, stored.variant] {
            for field in headers.fields { texts += field.name.utf8.count + field.value.utf8.count + fieldOverhead }
        }
        let trail = stored.response.redirections.reduce(0) {
            $0 + $1.from.absoluteString.utf8.count + $1.to.absoluteString.utf8.count + overhead
        }
        return overhead + key.url.utf8.count + key.identity.utf8.count + stored.response.payload.count + texts + trail
    }

    /// Returns the responses of a key, which counts as a use.
    mutating func responses(of key: CacheKey) -> [StoredResponse] {
        guard let slot = slot(of: key) else { return [] }
        if slot != newest {
            unlink(slot)
            linkAsNewest(slot)
        }
        return slots[slot]?.responses ?? []
    }

    /// Stores a response in place of the one with the same variant, which is removed if the new one is too large.
    mutating func store(_ stored: StoredResponse, _ key: CacheKey) {
        let added = Self.cost(of: stored, key)
        let isAllowed = added <= limit / Self.entryShare
        guard let slot = slot(of: key) ?? (isAllowed ? addSlot(key) : nil) else { return }
        let outdated = slots[slot]?.responses.firstIndex { Self.areSame($0.variant, stored.variant) }
        if let outdated { removeResponse(outdated, of: slot) }
        if isAllowed {
            if let count = slots[slot]?.responses.count, count >= Self.maximumVariants {
                removeResponse(0, of: slot)
            }
            slots[slot]?.responses.append(stored)
            slots[slot]?.costs.append(added)
            cost += added
            if slot != newest {
                unlink(slot)
                linkAsNewest(slot)
            }
            shrink(keeping: slot)
        } else if slots[slot]?.responses.isEmpty == true {
            removeSlot(slot)
        }
    }

    /// Removes the responses of a URL.
    mutating func remove(url: String) {
        for slot in index[ByteText(url)]?.slots ?? [] { removeSlot(slot) }
    }

    /// Removes the least recently used keys, and older variants of the kept key, until the limit is kept.
    private mutating func shrink(keeping kept: Int) {
        while cost > limit, let oldest {
            if oldest == kept { removeResponse(0, of: kept) } else { removeSlot(oldest) }
        }
    }

    /// Whether two variants are equal; without `Vary`, which is the rule, without comparing fields by their names.
    private static func areSame(_ left: HTTPHeaders, _ right: HTTPHeaders) -> Bool {
        left.fields.isEmpty && right.fields.isEmpty || left == right
    }

    private mutating func removeResponse(_ position: Int, of slot: Int) {
        slots[slot]?.responses.remove(at: position)
        cost -= slots[slot]?.costs.remove(at: position) ?? 0
    }
}

// The list of keys.
extension MemoryCache {
    private func slot(of key: CacheKey) -> Int? { index[ByteText(key.url)]?[ByteText(key.identity)] }

    private mutating func addSlot(_ key: CacheKey) -> Int {
        let number = free.popLast() ?? slots.count
        if number == slots.count { slots.append(nil) }
        let slot = Slot(url: ByteText(key.url), identity: ByteText(key.identity))
        slots[number] = slot
        index[slot.url, default: Identities()][slot.identity] = number
        linkAsNewest(number)
        return number
    }

    private mutating func removeSlot(_ number: Int) {
        unlink(number)
        guard let slot = slots[number] else { return }
        cost -= slot.costs.reduce(0, +)
        if let identities = index[slot.url], identities.count > 1 {
            index[slot.url]?[slot.identity] = nil
        } else {
            index[slot.url] = nil
        }
        slots[number] = nil
        free.append(number)
    }

    private mutating func linkAsNewest(_ number: Int) {
        slots[number]?.older = newest
        slots[number]?.newer = nil
        if let newest { slots[newest]?.newer = number } else { oldest = number }
        newest = number
    }

    private mutating func unlink(_ number: Int) {
        let (newer, older) = (slots[number]?.newer, slots[number]?.older)
        if let newer { slots[newer]?.older = older } else { newest = older }
        if let older { slots[older]?.newer = newer } else { oldest = newer }
    }
}
