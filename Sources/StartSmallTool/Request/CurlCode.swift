import StartSmall

/// A call as a curl command for a POSIX shell.
enum CurlCode {
    /// Returns the command; a comment names the options that curl has no equivalent of.
    static func text(of input: Input, for call: Call) -> String {
        var (options, omitted) = ([String](), [String]())
        if call.includesHead { options.append("--include") }
        if call.isVerbose { options.append("--verbose") }
        switch call.output {
        case .terminalOrPipe: break
        case .rawBytes: options += ["--output", "-"]
        case .file(let path): options += ["--output", path]
        case .namedFile: options += ["--remote-name", "--remote-header-name"]
        }
        if let timeout = call.timeoutInSeconds { options += ["--max-time", timeout] }
        // curl would retry any method, and send the method of the command to the target of each redirect.
        if call.retries > 0, RetryCondition.isSafeToReplay(input) {
            options += ["--retry", "\(call.retries)"]
        } else if call.retries > 0 {
            omitted.append("--retry (not for \(input.methodAndPayload.method))")
        }
        if call.followsRedirects, ["GET", "HEAD"].contains(input.methodAndPayload.method) {
            options.append("--location")
        } else if call.followsRedirects {
            omitted.append("--follow (curl would repeat \(input.methodAndPayload.method))")
        }
        omitted += call.localOptions
        let command = input.curlCommand(redacting: call.redaction, payloadLimit: .max, options: options)
        return omitted.isEmpty ? command : "\(command) # without \(omitted.joined(separator: ", "))"
    }
}

extension Call {
    /// The options that have a meaning for this tool only.
    var localOptions: [String] {
        let given: [(Option.Name, Bool)] = [(.cache, cache != nil), (.cookies, cookies != nil), (.trace, tracing)]
        return given.filter(\.1).map { "--\($0.0.rawValue)" }
    }

    /// The time limit in seconds, such as `60` or `0.5`.
    var timeoutInSeconds: String? {
        timeout.map { timeout in
            let seconds = timeout / .seconds(1)
            return Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
        }
    }
}
