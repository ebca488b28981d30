/// What StartSmall costs, printed as a table: `make bench`.
@main
enum Benchmarks {
    static func main() async {
        print("nanoseconds a call, median of \(Stopwatch.runs) runs")
        await CallCost.measure()
    }
}
