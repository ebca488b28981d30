import Foundation
import StartSmallForms
@testable import StartSmallCore
@testable import StartSmallEngines
import TestSupport
import Testing

struct PayloadSourceTests {
    @Test("a path with a NUL, which the system would take for another path, is refused")
    func nul() throws {
        let url = try #require(URL(string: "file:///dev/null%00/a"))
        #expect(throws: ConnectionError.self) { try PayloadSource(.file(url)) }
    }

    @Test("a pipe is refused without waiting for it")
    func pipe() throws {
        try withFolder { folder in
            let pipe = folder.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            #expect(throws: ConnectionError.self) { try PayloadSource(.file(pipe)) }
        }
    }

    @Test("a file without permission to read is refused", .enabled(if: geteuid() != 0, "root may read everything"))
    func unreadable() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            chmod(file.path, 0)
            #expect(throws: ConnectionError.self) { try PayloadSource(.file(file)) }
        }
    }

    @Test("creating a source leaves no file open, and neither does an error")
    func descriptors() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            for _ in 0..<200 {
                _ = try PayloadSource(.file(file))
                #expect(throws: ConnectionError.self) { try PayloadSource(.file(folder)) }
            }
            #expect(openFiles(under: folder) == 0)
        }
    }

    @Test("a source is described by its size and number of files, never by its content")
    func description() throws {
        try withFile(Data("hunter2".utf8)) { file in
            let two: MultipartForm = [.file("a", file), .file("b", file)]
            #expect(try PayloadSource(.file(file)).description == "7 bytes with 1 file")
            #expect(try PayloadSource(.multipart(two)).description.hasSuffix(" bytes with 2 files"))
            var text = ""
            dump(try PayloadSource(.data(Data("hunter2".utf8))), to: &text)
            #expect(!text.contains("hunter2"))
        }
    }
}
