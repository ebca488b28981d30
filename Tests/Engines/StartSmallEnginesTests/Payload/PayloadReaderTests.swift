import Foundation
import StartSmallForms
@testable import StartSmallCore
@testable import StartSmallEngines
import TestSupport
import Testing

struct PayloadReaderTests {
    private static let size = PayloadReader.defaultSize

    @Test(
        "a file is read byte for byte, in steps of any size",
        arguments: [0, 1, 5, size - 1, size, size + 1, 3 * size],
        [1000, 4096, size, .max]
    )
    func file(_ count: Int, _ limit: Int) throws {
        try withFile(Data.pattern(count: count)) { file in
            let bytes = try PayloadSource(.file(file)).bytes(by: limit)
            #expect(bytes.isSame(as: .pattern(count: count)))
        }
    }

    @Test("a form has the same bytes in steps of every size")
    func everySize() throws {
        try withFile(Data.pattern(count: 40)) { file in
            let form = MultipartForm([.text("a", "b"), .file("c", file), .file("d", file)], boundary: "X")
            let head = { (name: String) in "--X\r\nContent-Disposition: form-data; name=\"\(name)\"" }
            let fileHead = "; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\n"
            let bytes = Data.pattern(count: 40)
            let expected =
                Data((head("a") + "\r\n\r\nb\r\n" + head("c") + fileHead).utf8) + bytes
                + Data(("\r\n" + head("d") + fileHead).utf8) + bytes + Data("\r\n--X--\r\n".utf8)
            let source = try PayloadSource(.multipart(form))
            #expect(source.count == expected.count)
            for limit in 1...expected.count + 1 { #expect(try source.bytes(by: limit) == expected) }
        }
    }

    @Test(
        "no step is empty, larger than requested, or larger than 64 KiB",
        arguments: [Int.min, 0, 1, 7, .max]
    )
    func steps(_ limit: Int) throws {
        try withFile(Data(count: limit < 100 ? 500 : 3 * Self.size)) { file in
            let form = MultipartForm([.data("a", Data(count: 200)), .file("b", file)])
            var reader = try PayloadSource(.multipart(form)).reader()
            while let bytes = try reader.next(atMost: limit) {
                #expect((1...min(max(1, limit), Self.size)).contains(bytes.count))
                #expect(bytes.startIndex == 0)
            }
            #expect(try reader.next() == nil)
        }
    }

    /// A change to a file of 1,000 bytes.
    enum Change: String, CaseIterable {
        case shrunk, emptied, grown, rewritten, replaced, touched

        func make(_ file: URL) throws {
            switch self {
            case .shrunk: truncate(file.path, 999)
            case .emptied: truncate(file.path, 0)
            case .grown: truncate(file.path, 1001)
            case .rewritten: try Data(repeating: 1, count: 1000).write(to: file)
            case .replaced: try Data(count: 1000).write(to: file, options: .atomic)
            case .touched: break
            }
            // The system's clock may not advance between two changes of a test.
            let later = Date(timeIntervalSinceNow: 100)
            if self != .replaced, self != .shrunk, self != .grown, self != .emptied {
                try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: file.path)
            }
        }
    }

    @Test("a file that changes before or while it is read is an error", arguments: Change.allCases, [false, true])
    func changed(_ change: Change, isReading: Bool) throws {
        try withFile(Data(count: 1000)) { file in
            var reader = try PayloadSource(.file(file)).reader()
            if isReading { #expect(try reader.next(atMost: 999)?.count == 999) }
            try change.make(file)
            guard !(isReading && change == .replaced) else { return #expect(try reader.next()?.count == 1) }
            #expect(reader.failure()?.contains("changed") == true)
        }
    }

    @Test("a file that is removed before it is read is an error, in a form too")
    func gone() throws {
        try withFile(Data([1])) { file in
            let source = try PayloadSource(.multipart([.file("a", file)]))
            var reader = source.reader()
            _ = try reader.next()
            try FileManager.default.removeItem(at: file)
            #expect(reader.failure()?.contains("does not exist") == true)
        }
    }

    @Test("a file that is removed while it is read is read to its end")
    func unlinked() throws {
        try withFile(Data.pattern(count: 1000)) { file in
            var reader = try PayloadSource(.file(file)).reader()
            var bytes = try reader.next(atMost: 10) ?? Data()
            try FileManager.default.removeItem(at: file)
            while let next = try reader.next() { bytes += next }
            #expect(bytes == Data.pattern(count: 1000))
        }
    }

    @Test("a file that became a folder or a pipe is an error, without waiting")
    func anotherKind() throws {
        try withFile(Data([1])) { file in
            let source = try PayloadSource(.file(file))
            try FileManager.default.removeItem(at: file)
            mkfifo(file.path, 0o600)
            var reader = source.reader()
            #expect(reader.failure()?.contains("not a regular file") == true)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
            var other = source.reader()
            #expect(other.failure()?.contains("a folder") == true)
        }
    }

    @Test("after an error, every read has the same error, even if the file is restored")
    func sticky() throws {
        try withFile(Data(count: 1000)) { file in
            var reader = try PayloadSource(.file(file)).reader()
            let right = try FileManager.default.attributesOfItem(atPath: file.path)
            truncate(file.path, 10)
            let first = reader.failure()
            truncate(file.path, 1000)
            try FileManager.default.setAttributes(
                [.modificationDate: right[.modificationDate] as Any],
                ofItemAtPath: file.path
            )
            #expect(reader.failure() == first)
            #expect(first != nil)
        }
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test(
            "a file that the system generates, or fails to read, is an error, not a truncated message",
            arguments: [
                ("/proc/self/status", "a file of unknown size"), ("/proc/self/mem", "unreadable, Input/output error"),
            ]
        )
        func generated(path: String, reason: String) {
            let file = URL(fileURLWithPath: path)
            let error = #expect(throws: ConnectionError.self) { try PayloadSource(.file(file)) }
            #expect(error?.debugInfo.contains(reason) == true)
        }

        @Test("a file is open only while it is read, and not after the reader is gone, nor after an error")
        func descriptors() throws {
            try withFile(Data(count: 1000)) { file in
                let folder = file.deletingLastPathComponent()
                try readTwoSteps(of: file) { #expect(openFiles(under: folder) == 1) }
                #expect(openFiles(under: folder) == 0)
                var reader = try PayloadSource(.file(file)).reader()
                _ = try reader.next(atMost: 10)
                truncate(file.path, 20)
                #expect(reader.failure() != nil)
                #expect(openFiles(under: folder) == 0)
                var whole = try PayloadSource(.multipart([.file("a", file)])).reader()
                for _ in 0..<2 { _ = try whole.next() }
                #expect(openFiles(under: folder) == 0)
                #expect(try whole.next() != nil)
            }
        }

        private func readTwoSteps(of file: URL, _ meanwhile: () -> Void) throws {
            var reader = try PayloadSource(.file(file)).reader()
            for _ in 0..<2 { _ = try reader.next(atMost: 10) }
            meanwhile()
            _ = try reader.next(atMost: 10)
        }
    #endif

    @Test("a boundary in a file is an error, across two steps too")
    func boundary() throws {
        let delimiter = Data("--XXX".utf8)
        for place in [0, 1, Self.size - 5, Self.size - 3, Self.size - 1, Self.size, 2 * Self.size] {
            try withFile(Data(count: place) + delimiter + Data(count: 10)) { file in
                let source = try PayloadSource(.multipart(MultipartForm([.file("a", file)], boundary: "XXX")))
                for limit in [1000, Self.size] {
                    #expect(source.failure(by: limit)?.contains("the boundary occurs") == true)
                }
                #expect(throws: Never.self) { try PayloadSource(.file(file)).bytes() }
            }
        }
    }
}

extension PayloadReader {
    /// Returns the text of the malformed payload that the next read throws, or nil otherwise.
    fileprivate mutating func failure() -> String? {
        do {
            _ = try next()
            return nil
        } catch {
            return error.name == "malformedPayload" ? error.debugInfo : nil
        }
    }
}

extension PayloadSource {
    /// Returns the text of the malformed payload that ends a reading, or nil otherwise.
    fileprivate func failure(by limit: Int) -> String? {
        do {
            _ = try bytes(by: limit)
            return nil
        } catch {
            return error.name == "malformedPayload" ? error.debugInfo : nil
        }
    }
}
