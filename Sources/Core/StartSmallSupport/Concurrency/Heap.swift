/// A binary heap in an array: the smallest element in constant time, insertion and removal in logarithmic time.
struct Heap<Element: Comparable> {
    private(set) var elements: [Element] = []

    /// The smallest element; nil if the heap is empty.
    var first: Element? { elements.first }

    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        elements.append(element)
        rise(from: elements.count - 1)
    }

    mutating func removeFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        sink(from: 0)
        return first
    }

    /// Removes all elements that satisfy a condition, in linear time.
    mutating func removeAll(where isUnwanted: (Element) -> Bool) {
        elements.removeAll(where: isUnwanted)
        for index in (0..<elements.count / 2).reversed() { sink(from: index) }
    }

    private mutating func rise(from index: Int) {
        var index = index
        while index > 0, elements[index] < elements[(index - 1) / 2] {
            elements.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from index: Int) {
        var index = index
        while 2 * index + 1 < elements.count {
            var child = 2 * index + 1
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[index] else { return }
            elements.swapAt(index, child)
            index = child
        }
    }
}
