/// Completions for shells, generated from the tables of commands and options.
enum Completions {
    /// A shell for which there are completions.
    enum Shell: String, CaseIterable {
        case bash, zsh, fish
    }

    /// Returns the completion script for a shell; `eval "$(start-small completions bash)"` loads it.
    static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private static var bash: String {
        let words = Option.all.filter { $0.argument?.words.isEmpty == false }.map { option in
            "        \(names(option, "|"))) COMPREPLY=($(compgen -W '\(values(option))' -- \"$current\")) ;;"
        }
        let others = Option.all.filter { $0.argument?.words.isEmpty == true }.map { names($0, "|") }
        return """
            _start_small() {
                local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
                COMPREPLY=()
                case $previous in
            \(words.joined(separator: "\n"))
                    \(others.joined(separator: "|"))) ;;
                    *)
                        if [[ $current == -* ]]; then
                            COMPREPLY=($(compgen -W '\(Option.all.map(\.long).joined(separator: " "))' -- "$current"))
                        elif [[ $COMP_CWORD -eq 1 ]]; then
                            COMPREPLY=($(compgen -W '\(CommandEntry.names.joined(separator: " "))' -- "$current"))
                        fi ;;
                esac
            }
            complete -o default -F _start_small start-small
            """
    }

    private static var zsh: String {
        let specifications = Option.all.flatMap { option in
            [option.short, option.long].compactMap { $0 }.map { name -> String in
                guard let argument = option.argument else { return quoted("*\(name)[\(zshText(option.help))]") }
                let isLong = name == option.long
                let action = argument.isFile ? "_files" : argument.words.isEmpty ? " " : "(\(values(option)))"
                return quoted(
                    "*\(name)\(isLong ? "=" : "+")[\(zshText(option.help))]:\(zshText(argument.name)):\(action)"
                )
            }
        }
        return """
            #compdef start-small
            _start_small() {
                _arguments -s \\
                    \(specifications.joined(separator: " \\\n        ")) \\
                    '1:command or URL:(\(CommandEntry.names.joined(separator: " ")))' '*:argument:_files'
            }
            if [[ $funcstack[1] == _start_small ]]; then _start_small "$@"; else compdef _start_small start-small; fi
            """
    }

    private static var fish: String {
        let lines = Option.all.map { option in
            let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
            let value = option.argument.map { argument in
                argument.isFile ? " -r -F" : argument.words.isEmpty ? " -x" : " -x -a '\(values(option))'"
            }
            let help = "-d '\(option.help.replacing("'", with: "\\'"))'"
            return "complete -c start-small\(short) -l \(option.name.rawValue)\(value ?? "") \(help)"
        }
        let commands =
            "complete -c start-small -n __fish_use_subcommand -a '\(CommandEntry.names.joined(separator: " "))'"
        return (["complete -c start-small -f", commands] + lines).joined(separator: "\n")
    }

    private static func names(_ option: Option, _ separator: String) -> String {
        [option.short, option.long].compactMap { $0 }.joined(separator: separator)
    }

    private static func values(_ option: Option) -> String {
        option.argument?.words.joined(separator: " ") ?? ""
    }

    private static func zshText(_ text: String) -> String {
        text.replacing("[", with: "\\[").replacing("]", with: "\\]").replacing(":", with: "\\:")
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("'", with: "'\\''"))'"
    }
}
