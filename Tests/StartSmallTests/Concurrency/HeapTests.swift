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

    @Test("what is put in in any order comes out in order, the equal ones too", arguments: 0..<50)
    func order(_ count: Int) {
        let elements = (0..<count).map { _ in Int.random(in: 0..<20) }
        #expect(taken(heap(elements)) == elements.sorted())
        #expect(heap(elements).first == elements.min())
    }

    @Test("without those of a kind, the others still come out in order", arguments: 0..<50)
    func removeAll(_ count: Int) {
        let elements = (0..<count).map { _ in Int.random(in: 0..<20) }
        var heap = heap(elements)
        heap.removeAll { $0.isMultiple(of: 3) }
        #expect(taken(heap) == elements.filter { !$0.isMultiple(of: 3) }.sorted())
    }

    @Test("an empty one gives nothing")
    func empty() {
        var heap = Heap<Int>()
        #expect(heap.removeFirst() == nil)
        #expect(heap.first == nil)
    }
}
