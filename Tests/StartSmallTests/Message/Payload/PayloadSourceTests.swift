import Foundation
@testable import StartSmall
import Testing

struct PayloadSourceTests {
    @Test("the count is that of the bytes, known before they are read")
    func count() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data.pattern(count: 1000).write(to: file)
            let form: MultipartForm = [.text("a", "é"), .file("b", file), .data("c", Data()), .file("d", file)]
            for content in [Payload.Content.data(Data([1])), .data(Data()), .file(file), .multipart(form)] {
                let source = try PayloadSource(content)
                #expect(try source.bytes().count == source.count)
            }
            #expect(try PayloadSource(.file(file)).count == 1000)
        }
    }

    @Test("what is in memory is one piece, and none is empty")
    func joined() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            let form: MultipartForm = [.text("a", "b"), .text("c", ""), .file("d", file), .data("e", Data())]
            #expect(try PayloadSource(.multipart(form)).pieces.count == 3)
            #expect(try PayloadSource(.data(Data())).pieces == [])
            #expect(try PayloadSource(.multipart([])).pieces.count == 1)
        }
    }

    @Test("what is all in memory can be had at once, and nothing else can")
    func inMemory() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data().write(to: file)
            #expect(try PayloadSource(.data(Data([1]))).inMemory == Data([1]))
            #expect(try PayloadSource(.data(Data())).inMemory == Data())
            let form: MultipartForm = [.text("a", "b")]
            #expect(try PayloadSource(.multipart(form)).inMemory == form.bytes())
            #expect(try PayloadSource(.file(file)).inMemory == nil)
            #expect(try PayloadSource(.multipart([.file("a", file)])).inMemory == nil)
        }
    }

    @Test("a file that is the same is the same source, and one that has changed is another")
    func equality() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            let source = try PayloadSource(.file(file))
            #expect(try PayloadSource(.file(file)) == source)
            try Data([1, 2]).write(to: file)
            #expect(try PayloadSource(.file(file)) != source)
        }
    }

    @Test("a path that the system would take for another is refused")
    func nul() throws {
        let url = try #require(URL(string: "file:///dev/null%00/a"))
        #expect(throws: ConnectionError.self) { try PayloadSource(.file(url)) }
    }

    #if os(Linux) && !APPLE_BRANCH
        @Test("a file that says that it has no bytes, and has some, is refused; an empty one is not")
        func countUnknown() throws {
            let status = URL(filePath: "/proc/self/status")
            let error = #expect(throws: ConnectionError.self) { try PayloadSource(.file(status)) }
            #expect(error?.name == "malformedPayload")
            try withFile(Data()) { (file: URL) throws in #expect(try PayloadSource(.file(file)).count == 0) }
        }
    #endif

    @Test("a pipe is refused, and not waited for")
    func pipe() throws {
        try withFolder { folder in
            let pipe = folder.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            #expect(throws: ConnectionError.self) { try PayloadSource(.file(pipe)) }
        }
    }

    @Test("a file that may not be read is refused", .enabled(if: geteuid() != 0, "root may read everything"))
    func unreadable() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            chmod(file.path, 0)
            #expect(throws: ConnectionError.self) { try PayloadSource(.file(file)) }
        }
    }

    @Test("making a source leaves no file open, and neither does an error")
    func descriptors() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data([1]).write(to: file)
            for _ in 0..<2000 {
                _ = try PayloadSource(.file(file))
                #expect(throws: ConnectionError.self) { try PayloadSource(.file(folder)) }
            }
            #expect(openFiles(under: folder) == 0)
        }
    }

    @Test("a source is described by its size and number of files, never by its content")
    func description() throws {
        try withFolder { folder in
            let file = folder.appending(path: "a")
            try Data("hunter2".utf8).write(to: file)
            let two: MultipartForm = [.file("a", file), .file("b", file)]
            #expect(try PayloadSource(.data(Data([1]))).description == "1 bytes")
            #expect(try PayloadSource(.file(file)).description == "7 bytes with 1 file")
            #expect(try PayloadSource(.multipart(two)).description.hasSuffix(" bytes with 2 files"))
            var text = ""
            dump(try PayloadSource(.data(Data("hunter2".utf8))), to: &text)
            #expect(!text.contains("hunter2"))
        }
    }
}

/// How many descriptors of this process are of files in a folder; 0 where the system does not tell.
func openFiles(under folder: URL) -> Int {
    let path = folder.resolvingSymlinksInPath().path
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.filter { link in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)")
        return target?.hasPrefix(path) == true
    }.count
}
