import StartSmall
import StartSmallTesting

@testable import GitHubBrowser

/// A user who answers by a list, and what is shown to them.
struct FakeTerminal {
    private let output = Recorder<String>()
    private let errors = Recorder<String>()
    private let asked = Recorder<Void>()
    private let answers: [String]

    init(answering answers: String...) {
        self.answers = answers
    }

    /// What the app gets.
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

    /// Everything on standard error, a text for each time something was written.
    var told: [String] { errors.elements }
}
