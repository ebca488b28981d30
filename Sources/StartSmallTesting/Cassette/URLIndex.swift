/// An index of the URLs of a cassette, which avoids comparing a URL with all others.
struct URLIndex {
    /// A list of indices of exchanges, in order.
    struct List {
        /// The number of the list among all lists.
        let number: Int
        fileprivate(set) var indices: [Int] = []
    }

    /// The origin and path of a URL.
    private struct Place: Hashable {
        var origin: String
        var path: String?
    }

    /// The list of all indices.
    let all: List

    /// The number of lists.
    private(set) var listCount = 2

    private let none = List(number: 1)
    private var byURL: [URLParts: List] = [:]

    /// The lists by origin and path, or by the origin only if a part of the path is hidden.
    private var byPlace: [Place: List] = [:]

    init(_ urls: [URLParts]) {
        all = List(number: 0, indices: Array(urls.indices))
        for (index, url) in urls.enumerated() {
            let place = Place(origin: url.origin, path: url.hidesInPath ? nil : url.path)
            if byURL[url] == nil { byURL[url] = newList() }
            if byPlace[place] == nil { byPlace[place] = newList() }
            byURL[url]?.indices.append(index)
            byPlace[place]?.indices.append(index)
        }
    }

    /// Returns the list of exactly the same URL.
    func same(as url: URLParts) -> List {
        byURL[url] ?? none
    }

    /// Returns the lists of all URLs that may match another one, among others that do not.
    func similar(to url: URLParts) -> [List] {
        [Place(origin: url.origin, path: url.path), Place(origin: url.origin, path: nil)].compactMap { byPlace[$0] }
    }

    private mutating func newList() -> List {
        listCount += 1
        return List(number: listCount - 1)
    }
}

/// The indices that have not been taken yet.
struct OpenPlaces {
    private var isTaken: [Bool]

    /// The number of taken indices at the start of each list, which need not be checked again.
    private var starts: [Int]

    init(in places: URLIndex) {
        isTaken = Array(repeating: false, count: places.all.indices.count)
        starts = Array(repeating: 0, count: places.listCount)
    }

    /// All open indices.
    var all: [Int] { isTaken.indices.filter(contains) }

    func contains(_ index: Int) -> Bool { !isTaken[index] }

    mutating func remove(_ index: Int) { isTaken[index] = true }

    /// Returns the first open index of a list that matches.
    mutating func first(in list: URLIndex.List, where fits: (Int) -> Bool) -> Int? {
        var start = starts[list.number]
        while start < list.indices.count, isTaken[list.indices[start]] { start += 1 }
        starts[list.number] = start
        return list.indices[start...].first { contains($0) && fits($0) }
    }
}
