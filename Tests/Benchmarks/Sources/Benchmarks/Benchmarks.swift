/// What StartSmall costs, printed as a table: `make bench`.
@main
enum Benchmarks {
    static func main() async {
        if let url = CommandLine.arguments.dropFirst().first { return await Engines.measure(url: url) }
        print("nanoseconds a call, median of \(Stopwatch.runs) runs")
        await CallCost.measure()
    }
}
