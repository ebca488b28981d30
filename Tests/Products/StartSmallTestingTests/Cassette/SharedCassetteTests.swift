import Foundation
import StartSmall
import StartSmallTesting
import Testing

/// Several recorders of one file, in one process and in others.
@Suite struct SharedCassetteTests {
    private let file = TestFile()

    private func call(_ path: String, _ wrapper: Wrapper) async -> ConnectionError? {
        let connector = Connector.stub(.hasResponse(Sample.answer)).wrapped(by: wrapper)
        return await WebAPI.call(with: Sample.input("https://a/\(path)"), via: connector).connectionError
    }

    private func paths() throws -> [String] {
        try Cassette(at: file.url).exchanges.map { $0.input.url.lastPathComponent }
    }

    /// Other paths of the file: with dots, by a link to its folder, and by a link to the file, which may not exist yet.
    private func links() throws -> [URL] {
        let folder = file.url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (toFolder, toFile) = (folder.appending(path: "folder"), folder.appending(path: "link.json"))
        try FileManager.default.createSymbolicLink(at: toFolder, withDestinationURL: folder)
        try FileManager.default.createSymbolicLink(
            atPath: toFile.path(percentEncoded: false),
            withDestinationPath: "cassette.json"
        )
        return [
            folder.appending(path: "../\(folder.lastPathComponent)/./cassette.json"),
            toFolder.appending(path: "cassette.json"), toFile, toFolder.appending(path: "link.json"),
        ]
    }

    @Test("recorders of one file add to it, whatever paths they use, and however they take turns")
    func turns() async throws {
        let recorders = ([file.url] + (try links())).map { Wrapper.record(to: $0) }
        for round in 0..<2 {
            for (index, recorder) in recorders.enumerated() {
                #expect(await call("\(round * recorders.count + index)", recorder) == nil)
            }
        }
        #expect(try paths() == (0..<10).map(String.init))
        let link = file.url.deletingLastPathComponent().appending(path: "link.json").path(percentEncoded: false)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "cassette.json")
    }

    @Test("of many calls at once, by one recorder or by many that begin with one file, each is recorded once")
    func atOnce() async throws {
        let (urls, one) = ([file.url] + (try links()), Wrapper.record(to: file.url))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                let recorder = number.isMultiple(of: 2) ? one : .record(to: urls[number % urls.count])
                group.addTask { #expect(await call("\(number)", recorder) == nil) }
            }
        }
        #expect(try paths().count == 40 && Set(try paths()) == Set((0..<40).map(String.init)))
    }

    @Test("a secret that one recorder knows is hidden in the exchanges of the other one")
    func secrets() async throws {
        #expect(await call("hunter2-word", .record(to: file.url)) == nil)
        #expect(await call("?token=hunter2-word", .record(to: file.url)) == nil)
        #expect(!file.text.contains("hunter2"))
    }

    @Test("a recorder that reads the file adds to what other recorders add, and keeps the places of what it replaces")
    func reading() async throws {
        let (first, now) = (Wrapper.record(to: file.url, now: { Sample.noon }), Sample.noon.addingTimeInterval(90_000))
        for path in ["1", "2"] { #expect(await call(path, first) == nil) }
        let second = Wrapper.replay(from: file.url, expiringAfterDays: 1, now: { now })
        #expect(await call("3", first) == nil)
        for path in ["2", "4"] { #expect(await call(path, second) == nil) }
        #expect(await call("5", first) == nil)
        #expect(try paths() == ["1", "2", "3", "4", "5"])
        #expect(try Cassette(at: file.url).exchanges[1].recorded == now)
    }

    @Test("a recorder adds to what earlier ones have written, also if one between them has written nothing")
    func idle() async throws {
        for path in ["1", "1", "2"] { #expect(await call(path, .replay(from: file.url)) == nil) }
        #expect(await call("3", .record(to: file.url)) == nil)
        #expect(try paths() == ["1", "2", "3"])
    }

    @Test("a recorder begins anew where the recording was removed")
    func removed() async throws {
        #expect(await call("1", .record(to: file.url)) == nil)
        file.remove()
        #expect(await call("2", .record(to: file.url)) == nil)
        #expect(try paths() == ["2"])
    }

    @Test("a file that another process has changed is not replaced, and a new recorder begins anew")
    func changed() async throws {
        let first = Wrapper.record(to: file.url)
        #expect(await call("1", first) == nil)
        try file.write("of another process")
        let error = await call("2", first)
        #expect(error?.name == "unwritableDestination")
        #expect(error?.debugInfo.contains("another process or program has changed the file") == true)
        #expect(file.text == "of another process")
        #expect(await call("3", .record(to: file.url)) == nil)
        #expect(try paths() == ["3"])
    }
}
