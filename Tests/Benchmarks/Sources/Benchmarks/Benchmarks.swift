/// What StartSmall costs, printed as a table: `make bench`.
@main
enum Benchmarks {
    static func main() async {
        if CommandLine.arguments.count == 4 {
            return await Engines.only(
                url: CommandLine.arguments[1],
                atOnce: Int(CommandLine.arguments[2])!,
                calls: Int(CommandLine.arguments[3])!
            )
        }
        if let url = CommandLine.arguments.dropFirst().first { return await Engines.measure(url: url) }
        print("nanoseconds a call, median of \(Stopwatch.runs) runs")
        await CallCost.measure()
    }
}
