import StartSmall
import StartSmallTesting

@testable import GitHubBrowser

/// A terminal with a list of the user's answers that records its output.
struct FakeTerminal {
    private let output = Recorder<String>()
    private let errors = Recorder<String>()
    private let asked = Recorder<Void>()
    private let answers: [String]

    init(answering answers: String...) {
        self.answers = answers
    }

    /// The terminal that is passed to the app.
    var terminal: Terminal {
        Terminal(
            write: { [output] in output.append($0) },
            writeError: { [errors] in errors.append($0) },
            read: { [asked, answers] in
                asked.append(())
                let number = asked.elements.count
                return number <= answers.count ? answers[number - 1] : nil
            }
        )
    }

    /// Everything on standard output.
    var shown: String { output.elements.joined() }

    /// The texts that were written to standard error, one for each time.
    var told: [String] { errors.elements }
}
