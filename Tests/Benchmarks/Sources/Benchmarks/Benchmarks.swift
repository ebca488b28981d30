import Foundation

/// The cost of StartSmall, and its engines compared to others, printed as tables: `make bench`.
@main
enum Benchmarks {
    /// The parts, in the order in which they are printed.
    enum Part: String, CaseIterable {
        case calls, caching, resilience, json, engines, multiplexing, transfers, many, multipart
    }

    static let help = """
        Benchmarks [part ...]     all parts if none is named

          calls        nanoseconds that the kit adds to a call, over a stub
          caching      nanoseconds of a cache, of cookies and of shared requests, over a stub
          resilience   nanoseconds of the wrappers for load, over a stub
          json         microseconds to decode JSON, beside Foundation
          engines      requests a second for a small JSON, beside other engines
          multiplexing 100 concurrent calls over TLS, with HTTP/1.1 and HTTP/2
          transfers    download and upload of 256 MiB
          many         10,000 concurrent calls, and 20,000 successive ones
          multipart    memory use of a form with a file of 1 GiB

        Engines, multiplexing, transfers and many need Linux, openssl and nginx, which is started for them and ended
        after them.
        This part needs Linux too, runs alone, and ends with 1 if a requirement is not met:

          storm  how cancelled calls end, and processes that exit during calls
        """

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            // Not thrown: Swift would crash, and take minutes to print the backtrace.
            try? FileHandle.standardError.write(contentsOf: Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ arguments: [String]) async throws {
        #if os(Linux)
            switch arguments.first {
            case "storm":
                let wrong = await Storm.measure() + Exits.measure()
                if !wrong.isEmpty { throw Wrong(words: wrong) }
                return
            case "end-under-load": return await Exits.endUnderLoad()
            default: if let order = Order(arguments: arguments) { return try await Worker.report(order) }
            }
        #endif
        let parts = arguments.compactMap(Part.init)
        guard parts.count == arguments.count else { return print(help) }
        let chosen = Part.allCases.filter { parts.isEmpty || parts.contains($0) }
        if chosen.contains(.calls) {
            await WrapperCost.measure(comparedTo: await CallCost.measure())
        }
        if chosen.contains(.caching) { try await CacheCost.measure() }
        if chosen.contains(.resilience) { await ResilienceCost.measure() }
        if chosen.contains(.json) { JSONCost.measure() }
        let others = chosen.filter { ![.calls, .caching, .resilience, .json, .multipart].contains($0) }
        if !others.isEmpty { try measure(others) }
        #if os(Linux)
            if chosen.contains(.multipart) { try await MultipartTable.measure() }
        #endif
    }

    #if os(Linux)
        private static func measure(_ parts: [Part]) throws {
            guard let nginx = Nginx.installed else {
                return print("\nskipped, since nginx is not installed: \(names(parts))")
            }
            try Nginx.running(nginx) { server in
                if parts.contains(.engines) { try UsersTable.measure(server) }
                if parts.contains(.multiplexing) { try MultiplexTable.measure(server) }
                if parts.contains(.transfers) { try TransferTable.measure(server) }
                if parts.contains(.many) { try ManyTable.measure(server) }
            }
        }
    #else
        private static func measure(_ parts: [Part]) {
            print("\nskipped, since engines are measured on Linux only: \(names(parts))")
        }
    #endif

    /// The failed requirements of a part: the process then ends with 1.
    struct Wrong: Error, CustomStringConvertible {
        let words: [String]

        var description: String { words.joined(separator: "\n") }
    }

    private static func names(_ parts: [Part]) -> String {
        parts.map(\.rawValue).joined(separator: ", ")
    }
}
