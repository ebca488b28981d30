import StartSmallCore
import StartSmallSupport
import Foundation

struct PayloadFaults: Sendable {
    /// The number of bytes after which the payload ends.
    private var end = Int.max

    /// Whether the connection is lost there, if more bytes would follow.
    private var isLoss = false

    /// The number of bytes per part; nil for parts as they arrive.
    var step: Int?
    var pause: Duration?

    /// Makes the payload end earlier; at the same place, a loss takes precedence.
    mutating func truncate(toBytes count: Int, isLoss: Bool = false) {
        let count = max(0, count)
        if count == end { self.isLoss = self.isLoss || isLoss }
        if count < end { (end, self.isLoss) = (count, isLoss) }
    }

    func applied(to output: Output, clock: some Clock<Duration>) -> Output {
        guard end != .max || step != nil, var head = output.response else { return output }
        head.payload = Data()
        return output.mapBody { [head] in changed($0, of: head, clock) }
    }

    /// The bytes of a payload that have arrived, and are not delivered yet.
    private struct Progress {
        var waiting = Data()
        var arrived = 0
        var isOver = false
        var isLost = false
    }

    private func changed(_ body: ResponseBody, of head: Response, _ clock: some Clock<Duration>) -> ResponseBody {
        let (ended, progress) = (Latch(), Locked(Progress()))
        let changed = body.around { inner async throws(ConnectionError) -> Data? in
            while true {
                if let part = progress.withLock({ nextPart(of: &$0) }) {
                    try await wait(unless: ended, clock)
                    return part
                }
                let (isOver, isLost, count) = progress.withLock { ($0.isOver, $0.isLost, $0.arrived) }
                if isLost {
                    let text = "cut off after \(count) bytes"
                    throw .connectionLost(.init(domain: "Chaos", code: 0, text: text, partial: head))
                }
                if isOver { return nil }
                let chunk = try await inner.next()
                progress.withLock { add(chunk, to: &$0) }
            }
        }
        // A wait must not outlast the body.
        changed.onEnd { _ in ended.open() }
        return changed
    }

    private func add(_ chunk: Data?, to progress: inout Progress) {
        let taken = chunk?.prefix(end - progress.arrived) ?? Data()
        progress.waiting += taken
        progress.arrived += taken.count
        progress.isOver = taken.count < chunk?.count ?? 1
        progress.isLost = isLoss && chunk != nil && progress.isOver
    }

    /// Removes and returns a part that is complete, or the last one.
    private func nextPart(of progress: inout Progress) -> Data? {
        let size = step ?? max(1, progress.waiting.count)
        guard !progress.waiting.isEmpty, progress.isOver || progress.waiting.count >= size else { return nil }
        defer { progress.waiting = progress.waiting.dropFirst(size) }
        return Data(progress.waiting.prefix(size))
    }

    /// Waits before a part, at most until its body has ended.
    private func wait(unless ended: Latch, _ clock: some Clock<Duration>) async throws(ConnectionError) {
        guard let pause else { return }
        let isOver = await withTaskGroup { group in
            group.addTask { (try? await clock.sleep(for: min(max(pause, .zero), .maximumWait))) == nil }
            group.addTask {
                await ended.wait()
                return true
            }
            defer { group.cancelAll() }
            return await group.next() ?? true
        }
        if isOver { throw .cancelled }
    }
}
