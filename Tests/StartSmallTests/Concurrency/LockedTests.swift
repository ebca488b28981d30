import Testing

@testable import StartSmall

struct LockedTests {
    @Test("no change by concurrent tasks is lost")
    func exclusive() async {
        let count = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<1000 { count.withLock { $0 += 1 } } }
            }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test("a thrown error keeps the changes made before it, and releases the lock")
    func error() {
        struct Failure: Error, Equatable {}
        let state = Locked([1])
        #expect(throws: Failure()) {
            try state.withLock { state throws(Failure) in
                state.append(2)
                throw Failure()
            }
        }
        #expect(state.withLock { $0 } == [1, 2])
    }
}
