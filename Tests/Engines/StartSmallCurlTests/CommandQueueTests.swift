#if os(Linux)
    import CCurl
    import StartSmallTesting
    import Testing

    @testable import StartSmallCurl

    @Suite("the command queue of the engine's thread") struct CommandQueueTests {
        private func ids(_ commands: [EngineCommand]) -> [UInt64] {
            commands.compactMap { if case .cancel(let id) = $0 { id } else { nil } }
        }

        @Test("commands are taken in order, once") func commandsInOrder() {
            let queue = CommandQueue(isOpen: true)
            for id in UInt64(1)...3 { _ = queue.enqueue(.cancel(id)) }
            var taken: [EngineCommand] = []
            queue.take(into: &taken)
            #expect(ids(taken) == [1, 2, 3])
            taken = []
            queue.take(into: &taken)
            #expect(taken.isEmpty)
        }

        @Test("a thread with a waiting command does not fall asleep") func prepareToSleep() {
            let queue = CommandQueue(isOpen: true)
            let (before, isAdded, after) = (queue.prepareToSleep(), queue.enqueue(.stop), queue.prepareToSleep())
            #expect(before && isAdded && !after)
        }

        @Test("a closed queue accepts no command, and returns the remaining ones") func closed() {
            let queue = CommandQueue(isOpen: true)
            let (first, rest, second) = (queue.enqueue(.cancel(7)), queue.close(), queue.enqueue(.cancel(8)))
            #expect(first && !second)
            #expect(ids(rest) == [7])
        }

        @Test("a queue without a thread accepts a command only if a thread can be started for it, and starts one once")
        func threads() {
            let queue = CommandQueue()
            var started = 0
            let receipts = [true, false, true, true].map { canStart in
                queue.enqueueWithoutWaking(.cancel(UInt64(started))) {
                    started += 1
                    return canStart && started > 2
                }
            }
            #expect(receipts == [.refused, .refused, .taken, .taken] && started == 3)
            #expect(ids(queue.close()) == [2, 3] && !queue.enqueue(.cancel(9)))
        }

        @Test("no wake-up is lost under load") func noWakeUp() async {
            let queue = CommandQueue(isOpen: true)
            let (writers, each) = (4, 5000)
            let enqueue: @Sendable (UInt64) -> Void = { _ = queue.enqueue(.cancel($0)) }
            let (taken, done) = (Recorder<UInt64>(), Latch())
            // The reader sleeps without a limit: after a lost wake-up, it would sleep for ever.
            _ = CurlThread.start {
                var (count, some): (Int, [EngineCommand]) = (0, [])
                while count < writers * each {
                    queue.take(into: &some)
                    for case .cancel(let id) in some { taken.append(id) }
                    count += some.count
                    some.removeAll()
                    if count < writers * each, queue.prepareToSleep() { _ = queue.wait(.max) }
                }
                done.open()
            }
            await withTaskGroup { group in
                for writer in 0..<writers {
                    group.addTask { for number in 0..<each { enqueue(UInt64(writer * each + number)) } }
                }
            }
            await done.wait()
            #expect(Set(taken.elements).count == writers * each)
        }
    }
#endif
