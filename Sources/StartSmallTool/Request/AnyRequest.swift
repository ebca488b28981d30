import Foundation
import StartSmall
import StartSmallCaching
import StartSmallCookies

/// The command `start-small get URL` and similar ones: any request to any server.
struct AnyRequest {
    var call: Call
    let console: Console
    let engine: Connector
    let clock: any Clock<Duration>

    /// The cookies of the call; nil without `--cookies`.
    var jar: CookieJar?

    func run() async -> ExitCode {
        do throws(UsageError) {
            var request = self
            request.call = try call.completed(console)
            return await request.start()
        } catch {
            console.error("start-small: \(error.line)")
            return .usage
        }
    }

    private func start() async -> ExitCode {
        let input = RequestBuilder(read: console.read).input(of: call)
        if let code = call.code { return show(code, of: input) }
        if let path = call.cache,
            let failure = StandardStream.failure(ofDirectory: path)?.text
                ?? CacheStore.rejection(ofDirectory: URL(filePath: path))
        {
            console.error("start-small: --cache: \(path): \(failure)")
            return .outputError
        }
        guard let path = call.cookies else { return await send(input) }
        // The calls of a user are one session, which spans several processes.
        let file = CookieFile(at: URL(fileURLWithPath: path), includingSession: true)
        var request = self
        let jar = CookieJar()
        request.jar = jar
        do throws(CookieFileError) {
            try file.load(into: jar)
        } catch {
            console.error("start-small: --cookies: \(error)")
            return .outputError
        }
        let exit = await request.send(input)
        do throws(CookieFileError) {
            try file.save(jar)
            return exit
        } catch {
            console.error("start-small: --cookies: \(error)")
            return exit == .success ? .outputError : exit
        }
    }

    private func send(_ input: Either<ConnectionError, Input>) async -> ExitCode {
        switch call.output {
        case .terminalOrPipe, .rawBytes:
            return await PrintedCall(call: call, console: console).run(input, via: connector)
        case .file(let path): return await save(input, path)
        case .namedFile: return await download(input)
        }
    }

    /// Prints the request instead of sending it.
    private func show(_ code: Call.Code, of input: Either<ConnectionError, Input>) -> ExitCode {
        switch input {
        case .left(let error): return console.failed(error)
        case .right(let input):
            let text = code == .curl ? CurlCode.text(of: input, for: call) : SwiftCode.text(of: input, for: call)
            return console.writing(line: console.isTerminal(.output) ? TerminalText.visible(text) : text)
        }
    }

    private func save(_ input: Either<ConnectionError, Input>, _ path: String) async -> ExitCode {
        do throws(StreamError) {
            if let descriptor = try StandardStream.openDevice(path) {
                defer { close(descriptor) }
                // The kit replaces regular files only; a device receives the payload like a pipe.
                let device = console.writing(to: descriptor)
                return await PrintedCall(call: call, console: device).run(input, via: connector)
            }
        } catch {
            return console.outputFailed(error)
        }
        let target = URL(fileURLWithPath: path)
        LeftoverFiles.remove(beside: target)
        let file = Endpoint.download(input, to: target)
        return show(await file.fetch(via: connectorToFile)) { _ in }
    }

    private func download(_ input: Either<ConnectionError, Input>) async -> ExitCode {
        let part = console.folder.appendingPathComponent(LeftoverFiles.temporaryName())
        LeftoverFiles.remove(beside: part)
        // The response is needed for the file name, but the value of a download is the file's URL alone.
        let response = Endpoint(Endpoint.download(input, to: part).input) { response in
            response.empty().map { response }
        }
        let fetched = await response.fetch(via: connectorToFile)
        var name: String?
        let exit = show(fetched) { response in
            name = NamedFile.name(of: response, from: input.right?.url)
        }
        guard let name else { return exit }
        guard let file = NamedFile.move(part, to: name, in: console.folder) else {
            try? FileManager.default.removeItem(at: part)
            console.error("the file \(name) can't be created")
            return .outputError
        }
        console.print(file)
        return exit
    }

    private func show<Value>(
        _ fetched: Fetched<TransformError<Never>, Value>,
        value: (Value) -> Void
    ) -> ExitCode {
        switch fetched {
        case .right(let right):
            value(right)
            return .success
        case .left(.left(let error)): return console.failed(error)
        case .left(.right(let failure)): return PrintedCall(call: call, console: console).show(failure, hasHead: true)
        }
    }

    private var connector: Connector {
        CallConnector.connector(over: engine, for: call, console, clock: clock, jar: jar)
    }

    private var connectorToFile: Connector {
        let head = ResponseHead(call: call, console: console)
        let listener = Listener { (event: Event) in
            if case .received(let response) = event { try? head.write(response) }
        }
        let progress = ProgressLine(console, showsDownload: true)
        return connector.wrapped(by: .listen(to: progress.listener + listener))
    }
}

extension Call {
    /// The methods with which standard input is not read, because their requests rarely have a payload.
    private static let withoutInput: Set = ["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]

    /// Returns the call with what a terminal or standard input adds to the arguments: a password, and a payload.
    fileprivate func completed(_ console: Console) throws(UsageError) -> Call {
        var call = self
        if let user {
            let isHidden = code != nil && !showsSecrets
            guard let password = isHidden ? "" : console.readPassword("password of \(user): ") else {
                throw UsageError(reason: "no password, and no terminal to ask for one", hint: "-u USER:PASSWORD")
            }
            try call.authorize(user, password)
        }
        guard payload == nil, console.hasInput else { return call }
        guard let method else {
            throw UsageError(
                reason: "standard input is no terminal, and no method says whether to send it",
                hint: "post sends it, get does not read it"
            )
        }
        if Self.withoutInput.contains(method) { return call }
        do throws(StreamError) {
            let data = try console.read()
            if !data.isEmpty { call.payload = .content(.data(data)) }
        } catch {
            throw UsageError(reason: "standard input: \(error.text)")
        }
        return call
    }
}
