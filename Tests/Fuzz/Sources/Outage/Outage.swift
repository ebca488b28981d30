import Foundation
import StartSmall

/// Simulates an outage in virtual time, with and without the wrappers for load: `make outage`.
///
///     Outage [--seed 1] [--chart file.svg]
@main
enum Outage {
    static func main() async {
        var (seed, chart) = (UInt64(1), String?.none)
        var rest = CommandLine.arguments.dropFirst()
        while let argument = rest.popFirst() {
            switch (argument, rest.popFirst()) {
            case ("--seed", let value?): seed = UInt64(value) ?? seed
            case ("--chart", let value?): chart = value
            default:
                print("Outage [--seed 1] [--chart file.svg]")
                exit(2)
            }
        }
        var results: [SimulationResult] = []
        for stack in Stack.all { results.append(await Simulation(stack, seed: seed).run()) }
        print(Report.table(of: results))
        guard let chart else { return }
        do {
            try Report.chart(of: results).write(toFile: chart, atomically: true, encoding: .utf8)
        } catch {
            print("failed: \(error)")
            exit(1)
        }
    }
}
