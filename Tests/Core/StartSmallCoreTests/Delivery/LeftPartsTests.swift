import Foundation
import StartSmallTesting
import TestSupport
import Testing

import StartSmallSupport
@testable import StartSmallCore

/// What a process that ended in the midst of a download has left beside the target.
struct LeftPartsTests {
    private func create(_ names: [String], in folder: URL) throws {
        for name in names { try Data("half".utf8).write(to: folder.appending(path: name)) }
    }

    @Test("a download removes the parts of the same place that no process holds, and nothing else")
    func left() async throws {
        let left = [".f.1a2b3c4d.part", ".f.7.part"]
        let others = [
            ".f.part", ".f..part", ".f.1a2b3c4d.part2", ".f.123456789.part", ".f.1A.part", ".f.xyz.part", ".f.1.2.part",
            "f.1a2b3c4d.part", ".g.1a2b3c4d.part", ".1a2b3c4d.part", ".f.٣.part",
        ]
        try await withFolder { folder async throws in
            try create(left + others, in: folder)
            let file = try await TemporaryFiles().file(beside: folder.appending(path: "f"))
            #expect(try Set(names(in: folder)) == Set(others + [file.url.lastPathComponent]))
        }
    }

    @Test("for a name that is too long to be in that of a part, none is removed: it may be another program's")
    func longName() async throws {
        try await withFolder { folder async throws in
            let others = [".1a2b3c4d.part", ".f.1a2b3c4d.part"]
            try create(others, in: folder)
            let place = folder.appending(path: String(repeating: "n", count: 250))
            let file = try await TemporaryFiles().file(beside: place)
            #expect(try Set(names(in: folder)) == Set(others + [file.url.lastPathComponent]))
        }
    }

    @Test("the lock of a file ends with it, even while a process that starts has its descriptor")
    func endOfLock() throws {
        try withFolder { folder throws in
            let path = folder.appending(path: "f").path
            var file: WritableFile? = WritableFile(open(path, O_RDWR | O_CREAT, 0o600))
            let other = WritableFile(open(path, O_RDWR))
            #expect(file?.lock() == true && !other.lock())
            // As in a child of this process between its creation and its program.
            let inherited = dup(file?.descriptor ?? -1)
            defer { close(inherited) }
            file = nil
            #expect(other.lock())
        }
    }

    @Test("the part of a download that still runs stays, whether in this process or in another one")
    func held() async throws {
        try await withFolder { folder async throws in
            let place = folder.appending(path: "f")
            let (files, other) = (TemporaryFiles(), TemporaryFiles())
            let first = try await files.file(beside: place)
            try create([".f.1a2b3c4d.part"], in: folder)
            // Another opening of the file is another process to the system.
            let holder = WritableFile(open(folder.appending(path: ".f.1a2b3c4d.part").path, O_RDWR))
            #expect(holder.lock())
            let second = try await other.file(beside: place)
            #expect(try names(in: folder).count == 3)
            try holder.finish()
            try await first.append(Data("first".utf8))
            try await first.commit(to: place)
            try await second.append(Data("second".utf8))
            _ = try await TemporaryFiles().file(beside: place)
            try await second.commit(to: place)
            #expect(try Data(contentsOf: place) == Data("second".utf8))
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: ".f.1a2b3c4d.part").path))
        }
    }

    @Test("names are compared as bytes: a part of another spelling of the name is one of another place")
    func spelling() async throws {
        for (name, other) in [("e\u{301}", ".\u{E9}.1a2b3c4d.part"), ("\u{E9}", ".e\u{301}.1a2b3c4d.part")] {
            try await withFolder { folder async throws in
                try create([other], in: folder)
                let file = try await TemporaryFiles().file(beside: folder.appending(path: name))
                let spellings = try names(in: folder).map { Array($0.utf8) }
                #expect(spellings.count == 2 && spellings.contains(Array(other.utf8)))
                #expect(spellings.contains(Array(file.url.lastPathComponent.utf8)))
            }
        }
    }

    @Test("a call searches the folder once, and not again when its file begins anew")
    func restarted() async throws {
        try await withFolder { folder async throws in
            let (left, place) = (".f.1a2b3c4d.part", folder.appending(path: "f"))
            let restarts = Recorder<Void>()
            let file = try await TemporaryFiles().file(beside: place) { _ throws(ConnectionError) in
                if !restarts.elements.isEmpty { return .end }
                restarts.append(())
                try? create([left], in: folder)
                return .restart
            }
            #expect(try Set(names(in: folder)) == [left, file.url.lastPathComponent])
        }
    }

    @Test("downloads to one place from several threads remove no file that is in use, and each one is moved there")
    func race() throws {
        try withFolder { folder throws in
            let place = folder.appending(path: "f")
            let failures = Recorder<String>()
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for round in 0..<(isExhaustive ? 2_000 : 200) {
                    do {
                        var file = try PartialFile(beside: place)
                        try file.append(Data("\(thread)".utf8))
                        if round.isMultiple(of: 2) { try file.commit(to: place) } else { file.discard() }
                    } catch {
                        failures.append("\(error)")
                    }
                }
            }
            #expect(failures.elements.isEmpty)
            #expect(try names(in: folder) == ["f"])
        }
    }

    @Test("a folder, a link and a pipe with such a name stay, and so does the target of the link")
    func otherNodes() async throws {
        try await withFolder { folder async throws in
            let (link, target) = (folder.appending(path: ".f.1.part"), folder.appending(path: "target"))
            try create(["target"], in: folder)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".f.2.part"),
                withIntermediateDirectories: false
            )
            #expect(mkfifo(folder.appending(path: ".f.3.part").path, 0o600) == 0)
            let file = try await TemporaryFiles().file(beside: folder.appending(path: "f"))
            let expected = [".f.1.part", ".f.2.part", ".f.3.part", "target", file.url.lastPathComponent]
            #expect(try Set(names(in: folder)) == Set(expected))
            #expect(try Data(contentsOf: target) == Data("half".utf8))
        }
    }

    @Test("the bytes of a file are compared at an offset")
    func compared() async throws {
        try await withFolder { folder async throws in
            let file = try await TemporaryFiles().file(beside: folder.appending(path: "f"))
            try await file.append(Data("hello".utf8))
            for (text, offset, isThere) in [("hello", 0, true), ("llo", 2, true), ("l", 2, true), ("lx", 2, false)] {
                #expect(try await file.hasBytes(Data(text.utf8), at: offset) == isThere)
            }
            #expect(try await !file.hasBytes(Data("o!".utf8), at: 4))
            #expect(try await file.hasBytes(Data("xhello".utf8).dropFirst(), at: 0))
            try await file.append(Data("!".utf8))
            #expect(try await file.contents() == Data("hello!".utf8))
        }
    }
}
