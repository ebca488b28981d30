// Two threads that change one list under a Mutex, and with the argument `race` also a variable without a lock.

import Glibc
import Synchronization

final class List: @unchecked Sendable {
    let guarded = Mutex<[Int]>([])
    var bare = 0
}

let list = List()
let isRace = CommandLine.arguments.contains("race")

func work() -> UnsafeMutableRawPointer? {
    for number in 0..<300_000 {
        list.guarded.withLock { if $0.count < 1000 { $0.append(number) } else { $0 = [] } }
        if isRace { list.bare += 1 }
    }
    return nil
}

var (first, second) = (pthread_t(), pthread_t())
pthread_create(&first, nil, { _ in work() }, nil)
pthread_create(&second, nil, { _ in work() }, nil)
pthread_join(first, nil)
pthread_join(second, nil)
