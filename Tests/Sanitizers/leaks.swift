// Allocations that LeakSanitizer reports although they are no leaks of StartSmall, each under its argument; and under
// the argument `ours`, a leak that must be reported despite the suppressions. Swift and Foundation are those of 6.3.1.

import Foundation

final class Node {
    var other: Node?
    weak var seen: Node?
}

/// Values that live as long as the process.
enum Held {
    static let data = Data(count: 1000)
    static let node = Node()
}

@inline(never) func make(_ word: String) {
    switch word {
    // Data marks its representation by bits in the pointer, which the sanitizer then does not recognize as a pointer.
    case "global": precondition(Held.data.count == 1000)
    // The record that a weak reference creates and that outlives it: the object points to it with changed bits.
    case "weak": Node().seen = Held.node
    // Foundation allocates memory to read even an empty file, and does not free it.
    case "empty":
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        precondition(FileManager.default.createFile(atPath: file.path, contents: nil))
        precondition((try? Data(contentsOf: file)) == Data())
        try? FileManager.default.removeItem(at: file)
    // A process that has ended keeps its source of a run loop, which keeps the process.
    case "process":
        let (process, hasEnded) = (Process(), DispatchSemaphore(value: 0))
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        process.terminationHandler = { _ in hasEnded.signal() }
        precondition((try? process.run()) != nil)
        hasEnded.wait()
    case "ours":
        let (one, other) = (Node(), Node())
        (one.other, other.other) = (other, one)
    default: preconditionFailure("no such word")
    }
}

/// Overwrites the remains of calls on the stack, where the sanitizer would find pointers.
@inline(never) func overwrite(_ depth: Int) -> Int {
    var words = (0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: repeatElement(0, count: $0.count)) }
    return depth == 0 ? words.0 : overwrite(depth - 1) + words.7
}

for word in CommandLine.arguments.dropFirst() { make(word) }
precondition(overwrite(200) == 0)
