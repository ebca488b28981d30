import Foundation
import StartSmall
import StartSmallStreams

/// The ways to make a call: the source and the delivery of its text.
enum Way: CaseIterable {
    case text, moved, download, lines, upload

    /// Calls for the text of a number, and returns how the call ended.
    func end(of number: Int, via connector: Connector) async -> String {
        switch self {
        case .text:
            await end(Endpoint.text(.get("texts/{number}", ["number": number])), Service.text(number), via: connector)
        case .moved:
            await end(Endpoint.text(.get("moved/{number}", ["number": number])), Service.text(number), via: connector)
        case .download: await downloaded(number, via: connector)
        case .lines: await read(number, via: connector)
        case .upload: await uploaded(number, via: connector)
        }
    }

    private func end(
        _ endpoint: Endpoint<TransformError<Never>, String>,
        _ expected: String,
        via connector: Connector
    ) async -> String {
        switch await endpoint.fetch(via: connector) {
        case .right(let text): text == expected ? "answered" : "answered WRONG"
        case .left(let failure): Self.end(failure)
        }
    }

    /// Downloads to a new file, which is removed.
    private func downloaded(_ number: Int, via connector: Connector) async -> String {
        let file = Self.newFile
        defer { try? FileManager.default.removeItem(at: file) }
        switch await Endpoint.download(.get("texts/{number}", ["number": number]), to: file).fetch(via: connector) {
        case .right:
            return Self.end(of: (try? String(contentsOf: file, encoding: .utf8)) ?? "", Service.text(number))
        case .left(let failure):
            let end = Self.end(failure)
            return FileManager.default.fileExists(atPath: file.path) ? "left a FILE: \(end)" : end
        }
    }

    private func read(_ number: Int, via connector: Connector) async -> String {
        var text = ""
        for await errorOrLine in Endpoint.lines(.get("texts/{number}", ["number": number])).stream(via: connector) {
            switch errorOrLine {
            case .right(let line): text += line
            // Before its first element, a stream may not have begun a call.
            case .left(.left(.cancelled)) where text.isEmpty: return Self.cancelledBeforeALine
            case .left(let failure): return Self.end(failure)
            }
        }
        return Self.end(of: text, Service.text(number))
    }

    /// The end of a sequence of lines that was cancelled before its first line.
    static let cancelledBeforeALine = "cancelled before a line"

    private func uploaded(_ number: Int, via connector: Connector) async -> String {
        let (file, text) = (Self.newFile, Service.text(number))
        defer { try? FileManager.default.removeItem(at: file) }
        guard (try? Data(text.utf8).write(to: file)) != nil else { return "no FILE to upload" }
        let endpoint = Endpoint.text(.post("texts", payload: .file(file)))
        return await end(endpoint, "\(text.utf8.count), end", via: connector)
    }

    private static var newFile: URL {
        FileManager.default.temporaryDirectory.appending(path: "startsmall-soak-\(UUID())")
    }

    /// Returns the end of a call that bypasses the wrapper for truncated texts: the service may have truncated its
    /// text.
    private static func end(of text: String, _ expected: String) -> String {
        if text == expected { return "answered" }
        return expected.hasPrefix(text) ? "answered in part" : "answered WRONG"
    }

    private static func end(_ failure: CallError<TransformError<Never>>) -> String {
        switch failure {
        case .left(.cancelled): "cancelled"
        case .left(let error): "no response: \(error.name)"
        case .right(.unexpectedStatusCode(let response)): "status \(response.statusCode.code)"
        case .right: "unreadable"
        }
    }
}
