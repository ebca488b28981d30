import Foundation

/// Tests all parsers with mutated and hostile inputs: `make fuzz`.
///
///     Fuzz [--seconds 60] [--seed 1] [target…]
///
/// Each target runs in its own process, so that a trap or a hang is reported with its input. The input is kept in
/// `Corpus` and tried first from then on. `Fuzz try target file` tries one file in this process:
/// `make fuzz TARGETS=target TRY=file`.
@main
enum Fuzz {
    /// The default duration: a minute, as in CI.
    private static let usualSeconds = 60.0

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        let target = arguments.count > 1 ? Target.all.first { $0.name == arguments[1] } : nil
        switch (arguments.first, target) {
        case ("work", let target?) where arguments.count == 5:
            guard let seed = UInt64(arguments[2]), let seconds = Double(arguments[3]) else { return usage() }
            try Worker.fuzz(target, seed: seed, seconds: seconds, Witness(at: arguments[4]))
        case ("time", let target?) where arguments.count == 4:
            guard let seed = UInt64(arguments[2]) else { return usage() }
            try Worker.time(target, seed: seed, Witness(at: arguments[3]))
        case ("try", let target?) where arguments.count == 3:
            Worker.attempt(Array(try Data(contentsOf: URL(filePath: arguments[2]))), target)
        default: campaign(arguments)
        }
    }

    private static func campaign(_ arguments: [String]) {
        var names: [String] = []
        var (seconds, seed) = (usualSeconds, UInt64.random(in: 0...UInt64(UInt32.max)))
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--seconds":
                guard let value = rest.popFirst().flatMap(Double.init), value >= 0 else { return usage() }
                seconds = value
            case "--seed":
                guard let value = rest.popFirst().flatMap(UInt64.init) else { return usage() }
                seed = value
            default: names.append(argument)
            }
        }
        let targets = Target.all.filter { names.isEmpty || names.contains($0.name) }
        guard names.allSatisfy({ name in targets.contains { $0.name == name } }) else { return usage() }
        let isQuick = Campaign.time(targets, seed: seed)
        let isSound = Campaign.fuzz(targets, seed: seed, seconds: seconds)
        exit(isQuick && isSound ? 0 : 1)
    }

    private static func usage() {
        print("Fuzz [--seconds 60] [--seed 1] [target…]\ntargets: \(Target.all.map(\.name).joined(separator: " "))")
        exit(2)
    }
}
