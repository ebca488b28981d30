import Testing

@testable import StartSmall

struct HeapTests {
    private func taken(_ heap: Heap<Int>) -> [Int] {
        var heap = heap
        return Array(AnyIterator { heap.removeFirst() })
    }

    private func heap(_ elements: [Int]) -> Heap<Int> {
        elements.reduce(into: Heap()) { $0.insert($1) }
    }

    @Test("elements inserted in any order are removed in order, equal elements included", arguments: 0..<50)
    func order(_ count: Int) {
        let elements = (0..<count).map { _ in Int.random(in: 0..<20) }
        #expect(taken(heap(elements)) == elements.sorted())
        #expect(heap(elements).first == elements.min())
    }

    @Test("after some elements are removed by a condition, the others are still removed in order", arguments: 0..<50)
    func removeAll(_ count: Int) {
        let elements = (0..<count).map { _ in Int.random(in: 0..<20) }
        var heap = heap(elements)
        heap.removeAll { $0.isMultiple(of: 3) }
        #expect(taken(heap) == elements.filter { !$0.isMultiple(of: 3) }.sorted())
    }

    @Test("an empty heap returns nil")
    func empty() {
        var heap = Heap<Int>()
        #expect(heap.removeFirst() == nil)
        #expect(heap.first == nil)
    }
}
