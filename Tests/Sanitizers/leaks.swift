// What LeakSanitizer reports though it is none of StartSmall's, each under its word; and with the word `ours`, what must be
// reported whatever is not to be. Swift and Foundation are those of 6.3.1.

import Foundation

final class Node {
    var other: Node?
    weak var seen: Node?
}

/// Each is there as long as the process.
enum Held {
    static let data = Data(count: 1000)
    static let node = Node()
}

@inline(never) func make(_ word: String) {
    switch word {
    // Data tells its forms apart by bits in the pointer, which is none then.
    case "global": precondition(Held.data.count == 1000)
    // What a weak reference has made, and outlives it: whoever it is of points at it, with other bits.
    case "weak": Node().seen = Held.node
    // Foundation takes memory to read even an empty file, and forgets it.
    case "empty":
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        precondition(FileManager.default.createFile(atPath: file.path, contents: nil))
        precondition((try? Data(contentsOf: file)) == Data())
        try? FileManager.default.removeItem(at: file)
    case "ours":
        let (one, other) = (Node(), Node())
        (one.other, other.other) = (other, one)
    default: preconditionFailure("no such word")
    }
}

/// Writes over what is left of calls on the stack, where the sanitizer would find it.
@inline(never) func overwrite(_ depth: Int) -> Int {
    var words = (0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: repeatElement(0, count: $0.count)) }
    return depth == 0 ? words.0 : overwrite(depth - 1) + words.7
}

for word in CommandLine.arguments.dropFirst() { make(word) }
precondition(overwrite(200) == 0)
