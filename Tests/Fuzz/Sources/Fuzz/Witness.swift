import Foundation

/// The input that a process is about to try, in a file that both the process and its parent map into memory: it
/// outlives a trap, and costs no more than a copy.
final class Witness {
    /// The size of the file in bytes, more than the longest input.
    private static let room = 64 * 1024
    private static let header = 16

    private let memory: UnsafeMutableRawPointer

    /// Opens a file, and creates it if it does not exist.
    init(at path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Broken(description: "no file at \(path)") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(Self.room)) == 0,
            let memory = mmap(nil, Self.room, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw Broken(description: "no memory for \(path)") }
        self.memory = memory
    }

    deinit {
        munmap(memory, Self.room)
    }

    /// The number of recorded inputs.
    var count: Int { memory.load(as: Int.self) }

    /// The last recorded input.
    var input: [UInt8] {
        let length = min(memory.load(fromByteOffset: 8, as: Int.self), Self.room - Self.header)
        return Array(UnsafeRawBufferPointer(start: memory + Self.header, count: max(0, length)))
    }

    /// Records an input, before it is tried.
    func show(_ input: [UInt8]) {
        let shown = input.prefix(Self.room - Self.header)
        shown.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { (memory + Self.header).copyMemory(from: start, byteCount: bytes.count) }
        }
        memory.storeBytes(of: shown.count, toByteOffset: 8, as: Int.self)
        memory.storeBytes(of: count + 1, as: Int.self)
    }
}
