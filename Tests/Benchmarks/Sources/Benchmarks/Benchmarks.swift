/// What StartSmall costs, printed as a table: `make bench`; with the URL of a small JSON on this machine, what the
/// engines cost instead.
@main
enum Benchmarks {
    static func main() async {
        #if os(Linux)
            if let url = CommandLine.arguments.dropFirst().first { return await Engines.measure(url: url) }
        #endif
        print("nanoseconds a call, median of \(Stopwatch.runs) runs")
        await CallCost.measure()
    }
}
