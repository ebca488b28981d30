/// Where in a cassette URLs stand, so that none is compared with all.
struct URLIndex {
    /// Some places, in order.
    struct List {
        /// Its number among all lists.
        let number: Int
        fileprivate(set) var indices: [Int] = []
    }

    /// Origin and path alone.
    private struct Place: Hashable {
        var origin: String
        var path: String?
    }

    /// All places.
    let all: List

    /// How many lists there are.
    private(set) var listCount = 2

    private let none = List(number: 1)
    private var byURL: [URLParts: List] = [:]

    /// By the whole path, and by nothing but the origin where something in the path is hidden.
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

    /// Where the very same URL stands.
    func same(as url: URLParts) -> List {
        byURL[url] ?? none
    }

    /// Where all URLs stand that may fit another, and some that may not.
    func similar(to url: URLParts) -> [List] {
        [Place(origin: url.origin, path: url.path), Place(origin: url.origin, path: nil)].compactMap { byPlace[$0] }
    }

    private mutating func newList() -> List {
        listCount += 1
        return List(number: listCount - 1)
    }
}

/// Which places were not taken yet.
struct OpenPlaces {
    private var isTaken: [Bool]

    /// For each list, how many places at its beginning are taken and need not be looked at again.
    private var starts: [Int]

    init(in places: URLIndex) {
        isTaken = Array(repeating: false, count: places.all.indices.count)
        starts = Array(repeating: 0, count: places.listCount)
    }

    /// All that are open.
    var all: [Int] { isTaken.indices.filter(contains) }

    func contains(_ index: Int) -> Bool { !isTaken[index] }

    mutating func remove(_ index: Int) { isTaken[index] = true }

    /// The first in a list that is open and fits.
    mutating func first(in list: URLIndex.List, where fits: (Int) -> Bool) -> Int? {
        var start = starts[list.number]
        while start < list.indices.count, isTaken[list.indices[start]] { start += 1 }
        starts[list.number] = start
        return list.indices[start...].first { contains($0) && fits($0) }
    }
}
