import Foundation
import StartSmall
import StartSmallDiagnostics
import StartSmallTesting
import TestSupport
import Testing

/// The file of a HAR: it opens after each write, is bounded, and belongs to nobody else.
@Suite(.timeLimit(.minutes(1))) struct HARFileTests {
    private let file = HARTestFile()

    private static func input(_ number: Int) -> Input {
        Fixture.input.with { $0.queries = [URLQueryItem(name: "n", value: "\(number)")] }
    }

    private func numbers(of file: URL? = nil) throws -> [Int] {
        try self.file.entries(of: file).compactMap { $0.text("request.url")?.split(separator: "=").last }.compactMap {
            Int($0)
        }
    }

    private func record(_ numbers: Range<Int>, to file: HARTestFile, limits: HARLimits = HARLimits()) async {
        await file.record(numbers.map(Self.input), limits: limits, via: .stub(.text("hello")))
    }

    /// Makes calls, and returns the reasons of lost entries, and whether all calls got their responses.
    private func lost(_ count: Int, to url: URL) async -> [String] {
        let log = EventLog()
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: url), .listen(to: log.listener))
        for number in 0..<count {
            #expect(await WebAPI.call(with: Self.input(number), via: app).response?.statusCode == .ok)
        }
        return log.events.compactMap { $0.reported(HAREntryLost.self)?.description }
    }

    @Test("the file can be opened after each write, as a process leaves it that ends there")
    func eachWrite() async throws {
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: file.url))
        for number in 0..<20 {
            _ = await WebAPI.call(with: Self.input(number), via: app)
            #expect(try numbers() == Array(0...number))
        }
    }

    @Test("concurrent calls of several recorders leave one entry each")
    func concurrent() async throws {
        let recorders = (0..<4).map { _ in Connector.stub(.text("hello")).wrapped(by: .har(to: file.url)) }
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask { _ = await WebAPI.call(with: Self.input(number), via: recorders[number % 4]) }
            }
        }
        #expect(try numbers().sorted() == Array(0..<200))
    }

    @Test("an entry is written behind those before, which nobody writes again")
    func appended() async throws {
        await record(0..<50, to: file)
        let before = Data(file.text.utf8)
        // As long as what was there, so that nobody notices.
        let other = try FileHandle(forWritingTo: file.url)
        let place = try #require(before.range(of: Data("n=0".utf8))).upperBound - 1
        try other.seek(toOffset: UInt64(place))
        try other.write(contentsOf: Data("7".utf8))
        try other.close()
        await record(50..<51, to: file)
        #expect(try numbers() == [7] + Array(1...50))
    }

    @Test("what another opening of the file has locked stays as it is, and the calls succeed with an event")
    func locked() async throws {
        await record(0..<1, to: file)
        // A file of its own, which this process has not opened before.
        let other = HARTestFile()
        try other.write(Data(file.text.utf8))
        let descriptor = open(other.url.path, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        #expect(await lost(2, to: other.url) == Array(repeating: "app.har: another process writes the file", count: 2))
        #expect(other.text == file.text)
        flock(descriptor, LOCK_UN)
        #expect(await lost(1, to: other.url) == [])
        #expect(try numbers(of: other.url) == [0, 0])
    }

    @Test("a file that can't be moved at its limit stays open, and the calls succeed with an event")
    func unmovable() async throws {
        try file.write(Data())
        let inside = file.previous.appending(path: "a")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
        let limits = HARLimits(entries: 1)
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: file.url, limits: limits))
        // Other tests open many files, for which this one may be closed.
        var isOpen = false
        for number in 0..<20 where !isOpen {
            #expect(await WebAPI.call(with: Self.input(number), via: app).response?.statusCode == .ok)
            let descriptor = open(file.url.path, O_RDWR | O_CLOEXEC)
            defer { close(descriptor) }
            isOpen = number > 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0
        }
        #expect(isOpen)
        #expect(try numbers() == [0])
    }

    @Test("a file of an earlier recorder is continued")
    func continued() async throws {
        await record(0..<2, to: file)
        await record(2..<4, to: file)
        #expect(try numbers() == Array(0..<4))
    }

    @Test("at a limit, the file becomes the previous one, and a new one has the newest entries")
    func entryLimit() async throws {
        await record(0..<8, to: file, limits: HARLimits(entries: 3))
        #expect(try numbers() == [6, 7])
        #expect(try numbers(of: file.previous) == [3, 4, 5])
        await record(8..<10, to: file, limits: HARLimits(entries: 3))
        #expect(try numbers() == [9])
        #expect(try numbers(of: file.previous) == [6, 7, 8])
    }

    @Test("the files are not larger than the limit, unless one entry is")
    func byteLimit() async throws {
        await record(0..<20, to: file, limits: HARLimits(bytes: 3_000))
        #expect(file.text.utf8.count <= 3_000)
        #expect(try Data(contentsOf: file.previous).count <= 3_000)
        #expect(
            try numbers(of: file.previous) + numbers()
                == Array((20 - numbers().count - numbers(of: file.previous).count)..<20)
        )
        await record(20..<22, to: file, limits: HARLimits(bytes: 1))
        #expect(try numbers() == [21])
        #expect(try numbers(of: file.previous) == [20])
    }

    @Test("wherever a write was cut off, the next recorder removes the torn entry, and keeps the others")
    func torn() async throws {
        await record(0..<2, to: file)
        let before = Data(file.text.utf8)
        await record(2..<3, to: file)
        let after = Data(file.text.utf8)
        for cut in (before.count - 5)..<after.count
        where isExhaustive || cut < before.count + 9 || cut.isMultiple(of: 7) {
            let torn = HARTestFile()
            try torn.write(after.prefix(cut) + before.dropFirst(cut))
            await record(3..<4, to: torn)
            let kept = try torn.entries().compactMap { $0.text("request.url")?.last }
            #expect(kept.last == "3" && kept.first == "0" && kept.count >= 2, "\(cut): \(kept)")
            #expect(cut < before.count || kept.starts(with: "01"), "\(cut): \(kept)")
        }
    }

    @Test("wherever the first write to a file was cut off, the next recorder begins the file anew")
    func tornOpening() async throws {
        await record(0..<1, to: file)
        let opening = try #require(file.text.split(separator: "\n").first)
        for cut in 0...(opening.utf8.count + 3) {
            let torn = HARTestFile()
            try torn.write(Data((opening + "\n]}}").utf8.prefix(cut)))
            #expect(await lost(1, to: torn.url) == [])
            #expect(try numbers(of: torn.url) == [0], "\(cut)")
        }
    }

    @Test("what another program has appended is removed, and the file goes on")
    func appendedByOthers() async throws {
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: file.url))
        _ = await WebAPI.call(with: Self.input(0), via: app)
        let other = try FileHandle(forWritingTo: file.url)
        try other.seekToEnd()
        try other.write(contentsOf: Data("{\"a\":".utf8))
        try other.close()
        #expect(await lost(1, to: file.url) == [])
        _ = await WebAPI.call(with: Self.input(1), via: app)
        #expect(try numbers() == [0, 0, 1])
    }

    @Test("a removed or moved file is begun anew")
    func removed() async throws {
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: file.url))
        _ = await WebAPI.call(with: Self.input(0), via: app)
        try FileManager.default.removeItem(at: file.url)
        _ = await WebAPI.call(with: Self.input(1), via: app)
        #expect(try numbers() == [1])
        try FileManager.default.moveItem(at: file.url, to: file.previous)
        _ = await WebAPI.call(with: Self.input(2), via: app)
        #expect(try numbers() == [2])
        #expect(try numbers(of: file.previous) == [1])
    }

    @Test("a file that another program has cut goes on")
    func cutByOthers() async throws {
        let app = Connector.stub(.text("hello")).wrapped(by: .har(to: file.url))
        for number in 0..<2 { _ = await WebAPI.call(with: Self.input(number), via: app) }
        #expect(truncate(file.url.path, off_t(file.text.utf8.count - 30)) == 0)
        #expect(await lost(1, to: file.url) == [])
        #expect(try numbers() == [0, 0])
    }

    @Test(
        "a file of another program stays as it is, and the calls succeed with an event",
        arguments: ["{}", #"{"log":{}}"#]
    )
    func foreign(text: String) async throws {
        try file.write(Data(text.utf8))
        #expect(
            await lost(2, to: file.url) == Array(repeating: "app.har: another program has written the file", count: 2)
        )
        #expect(file.text == text)
    }

    @Test("a folder, a device and a pipe are no files, and the calls succeed with an event")
    func noFile() async throws {
        try file.write(Data())
        let folder = file.url.deletingLastPathComponent()
        let pipe = folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for path in [folder, pipe, URL(filePath: "/dev/null")] {
            #expect(await lost(1, to: path).count == 1, "\(path)")
        }
    }

    @Test("two paths of one file are one recording")
    func links() async throws {
        try file.write(Data())
        let link = file.url.deletingLastPathComponent().appending(path: "link.har")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.url)
        let apps = [file.url, link].map { Connector.stub(.text("hello")).wrapped(by: .har(to: $0)) }
        for number in 0..<4 { _ = await WebAPI.call(with: Self.input(number), via: apps[number % 2]) }
        #expect(try numbers() == [0, 1, 2, 3])
    }

    @Test("only its owner may read the file")
    func permissions() async throws {
        for text in ["", nil] {
            let file = HARTestFile()
            if let text { try file.write(Data(text.utf8)) }
            if text != nil { #expect(chmod(file.url.path, 0o644) == 0) }
            await record(0..<1, to: file)
            let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }
}
