// A thread resumes a continuation and has no other synchronization with the waiting task: before the task waits, or
// with the argument `late`, while it waits. Both are correct. ThreadSanitizer sees the order only in the second case
// (Swift 6.3.1).

import Glibc

final class Waiting: @unchecked Sendable {
    let continuation: CheckedContinuation<[UInt8], Never>

    init(_ continuation: CheckedContinuation<[UInt8], Never>) { self.continuation = continuation }
}

let isLate = CommandLine.arguments.contains("late")
let pause: UInt32 = 20_000

func sum() async -> Int {
    let bytes = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8], Never>) in
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Waiting(continuation)).toOpaque()
        pthread_create(
            &thread,
            nil,
            { context in
                guard let context else { return nil }
                if isLate { usleep(pause) }
                let waiting = Unmanaged<Waiting>.fromOpaque(context).takeRetainedValue()
                // Written here and not in the standard library, whose writes the sanitizer does not see.
                let ones = [UInt8](unsafeUninitializedCapacity: 40) { bytes, count in
                    for index in bytes.indices { bytes[index] = 1 }
                    count = bytes.count
                }
                waiting.continuation.resume(returning: ones)
                return nil
            },
            context
        )
        pthread_detach(thread)
        if !isLate { usleep(pause) }
    }
    return bytes.withUnsafeBufferPointer { $0.reduce(0) { $0 + Int($1) } }
}

@main
struct Early {
    static func main() async {
        for _ in 0..<20 where await sum() != 40 { print("bytes are missing") }
    }
}
