#if os(Linux)
    import CCurl
    import StartSmallTesting
    import Testing

    @testable import StartSmall

    @Suite("The mailbox of the engine's thread") struct CurlMailboxTests {
        private func ids(_ commands: [CurlCommand]) -> [UInt64] {
            commands.compactMap { if case .cancel(let id) = $0 { id } else { nil } }
        }

        @Test("Commands are taken in order, once") func commandsInOrder() {
            let mailbox = CurlMailbox()
            for id in UInt64(1)...3 { _ = mailbox.leave(.cancel(id)) }
            var taken: [CurlCommand] = []
            mailbox.take(into: &taken)
            #expect(ids(taken) == [1, 2, 3])
            taken = []
            mailbox.take(into: &taken)
            #expect(taken.isEmpty)
        }

        @Test("Whoever has a command does not fall asleep") func fallsAsleep() {
            let mailbox = CurlMailbox()
            let (before, isLeft, after) = (mailbox.fallsAsleep(), mailbox.leave(.stop), mailbox.fallsAsleep())
            #expect(before && isLeft && !after)
        }

        @Test("A closed mailbox takes nothing, and gives back what is left") func closed() {
            let mailbox = CurlMailbox()
            let (first, rest, second) = (mailbox.leave(.cancel(7)), mailbox.close(), mailbox.leave(.cancel(8)))
            #expect(first && !second)
            #expect(ids(rest) == [7])
        }

        @Test("Only the first starts the thread") func claim() {
            let mailbox = CurlMailbox()
            let claims = (0..<3).map { _ in mailbox.claimThread() }
            #expect(claims == [true, false, false])
        }

        @Test("A thread that could not be started is tried again by the next call") func disclaim() {
            let mailbox = CurlMailbox()
            let claims = [mailbox.claimThread(), mailbox.claimThread()]
            let isLeft = mailbox.leave(.cancel(7))
            let rest = mailbox.disclaimThread()
            let isLeftWithout = mailbox.leave(.cancel(8))
            let claimsAgain = [mailbox.claimThread(), mailbox.claimThread()]
            let isLeftAgain = mailbox.leave(.cancel(9))
            var taken: [CurlCommand] = []
            mailbox.take(into: &taken)
            #expect(claims == [true, false] && claimsAgain == [true, false])
            #expect([isLeft, isLeftWithout, isLeftAgain] == [true, false, true])
            #expect(ids(rest) == [7] && ids(taken) == [9])
        }

        @Test("No wake-up is lost in a storm") func noWakeUp() async {
            let mailbox = CurlMailbox()
            let (writers, each) = (4, 5000)
            let leave: @Sendable (UInt64) -> Void = { _ = mailbox.leave(.cancel($0)) }
            let (taken, done) = (Recorder<UInt64>(), Latch())
            // The taker sleeps without a limit: a lost wake-up would have it sleep for ever.
            _ = CurlThread.start {
                var (count, some): (Int, [CurlCommand]) = (0, [])
                while count < writers * each {
                    mailbox.take(into: &some)
                    for case .cancel(let id) in some { taken.append(id) }
                    count += some.count
                    some.removeAll()
                    if count < writers * each, mailbox.fallsAsleep() { _ = mailbox.wait(.max) }
                }
                done.open()
            }
            await withTaskGroup { group in
                for writer in 0..<writers {
                    group.addTask { for number in 0..<each { leave(UInt64(writer * each + number)) } }
                }
            }
            await done.wait()
            #expect(Set(taken.elements).count == writers * each)
        }
    }
#endif
