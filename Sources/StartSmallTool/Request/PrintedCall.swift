import Foundation
import StartSmall
import Synchronization

/// A call with its payload printed to standard output as it arrives.
struct PrintedCall {
    let call: Call
    let console: Console

    /// The state of the output.
    private struct State {
        var printer: PayloadPrinter

        /// The error of standard output, if writing to it failed.
        var failure: StreamError?

        /// Writes with the printer, and returns whether standard output accepts more.
        mutating func write(_ write: (inout PayloadPrinter) throws(StreamError) -> Void) -> Bool {
            guard failure == nil else { return false }
            do throws(StreamError) { try write(&printer) } catch { failure = error }
            return failure == nil
        }
    }

    /// Sends the request, and writes each part of a successful response immediately.
    func run(_ input: Either<ConnectionError, Input>, via connector: Connector) async -> ExitCode {
        // A cache keeps payloads in memory only.
        if call.cache != nil { return await runInMemory(input, via: connector) }
        let state = Mutex(State(printer: printer))
        let head = ResponseHead(call: call, console: console)
        let progress = ProgressLine(console, showsDownload: false)
        let writingHead = Wrapper { input, next in
            let output = await next(input)
            guard case .hasResponse(let response) = output, let body = response.body else { return output }
            progress.hide(forGood: true)
            let isWritten = state.withLock { state in
                state.write { printer throws(StreamError) in
                    printer.begin(response)
                    try head.write(response)
                }
            }
            if isWritten { return output }
            body.discard()
            return .noResponse(.cancelled)
        }
        let chunks = Endpoint.chunks(input)
            .stream(via: connector.wrapped(by: .listen(to: progress.listener), writingHead))
        var failure: CallError<TransformError<Never>>?
        for await chunk in chunks {
            switch chunk {
            case .left(let last): failure = last
            case .right(let data):
                let isWritten = state.withLock { state in
                    state.write { printer throws(StreamError) in try printer.write(data) }
                }
                if isWritten { continue }
            }
            break
        }
        // An incomplete payload is shown as far as it was received.
        let error = state.withLock { state in
            _ = state.write { printer throws(StreamError) in try printer.finish() }
            return state.failure
        }
        if let error { return console.outputFailed(error) }
        switch failure {
        case nil: return .success
        case .left(let error)?: return console.failed(error)
        case .right(let failure)?: return show(failure, hasHead: false)
        }
    }

    /// Sends the request, and writes the response when it is complete.
    private func runInMemory(_ input: Either<ConnectionError, Input>, via connector: Connector) async -> ExitCode {
        let endpoint = Endpoint(input) { response in response.empty().map { response } }
        switch await endpoint.fetch(via: connector) {
        case .right(let response): return write(response, hasHead: false) ?? .success
        case .left(.left(let error)): return console.failed(error)
        case .left(.right(let failure)): return show(failure, hasHead: false)
        }
    }

    /// Writes a response whose payload is in memory, and returns the exit code of a failure.
    private func write(_ response: Response, hasHead: Bool) -> ExitCode? {
        var printer = printer
        do throws(StreamError) {
            if !hasHead { try ResponseHead(call: call, console: console).write(response) }
            printer.begin(response)
            if !response.payload.isEmpty { try printer.write(response.payload) }
            try printer.finish()
            return nil
        } catch {
            return console.outputFailed(error)
        }
    }

    /// Prints a response with a status other than 2xx, and the reason why there is no value.
    ///
    /// The payload of such a response is in memory.
    func show(_ failure: TransformError<Never>, hasHead: Bool) -> ExitCode {
        let response = failure.response
        if let exit = write(response, hasHead: hasHead) { return exit }
        let isRedirect = (300..<400).contains(response.statusCode.code) && response.headers.contains("Location")
        let hint = isRedirect && !call.followsRedirects ? "; --follow follows the redirect" : ""
        console.error("no value: \(failure)\(hint)")
        return .transformError
    }

    private var printer: PayloadPrinter {
        PayloadPrinter(console, isRaw: call.output == .rawBytes)
    }
}

extension Console {
    /// Reports that there is no response.
    func failed(_ error: ConnectionError) -> ExitCode {
        self.error("no response: \(error)")
        return .connectionError
    }

    /// Reports an error of standard output, unless standard output is a pipe without a reader.
    func outputFailed(_ error: StreamError) -> ExitCode {
        if error.isClosedPipe { return .closedPipe }
        self.error("start-small: standard output: \(error.text)")
        return .outputError
    }

    /// Writes a text and a line feed to standard output, and returns the exit code.
    func writing(line text: String) -> ExitCode {
        do throws(StreamError) {
            try write(Data("\(text)\n".utf8))
            return .success
        } catch {
            return outputFailed(error)
        }
    }
}
