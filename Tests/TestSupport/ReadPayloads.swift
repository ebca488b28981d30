package import Foundation
package import StartSmallCore
package import StartSmallEngines
package import StartSmallForms
import StartSmallTesting

/// Returns the number of open descriptors of files in a folder, or 0 if the system does not list descriptors.
package func openFiles(under folder: URL) -> Int {
    let path = folder.resolvingSymlinksInPath().path
    let links = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return links.filter { link in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)")
        return target?.hasPrefix(path) == true
    }.count
}

extension PayloadSource {
    /// Returns all bytes, read in steps of at most `limit` bytes.
    package func bytes(by limit: Int = PayloadReader.defaultSize) throws(ConnectionError) -> Data {
        var reader = reader()
        var bytes = Data()
        while let next = try reader.next(atMost: limit) { bytes += next }
        return bytes
    }
}

extension Payload.Content {
    package func bytes() throws(ConnectionError) -> Data { try PayloadSource(self).bytes() }
}

extension MultipartForm {
    package func bytes() throws(ConnectionError) -> Data { try Payload.Content.multipart(self).bytes() }
}

extension Input {
    /// A PUT request with a payload.
    package static func put(_ payload: Payload) -> Input {
        Input(url: Fixture.url, methodAndPayload: .put(payload: payload))
    }
}

extension AsyncStream where Element: Sendable {
    /// A stream of these elements.
    package init(elements: [Element]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}

extension PayloadStream {
    /// The chunks of one production, and its error.
    package func produced() async -> (chunks: [Data], error: ConnectionError?) {
        let chunks = Recorder<Data>()
        let error = await failure { chunks.append($0) }
        return (chunks.elements, error)
    }

    /// The error of one production whose chunks `take` takes.
    package func failure(_ take: @escaping @Sendable (Data) async throws -> Void) async -> ConnectionError? {
        do {
            try await produce(take)
            return nil
        } catch {
            return error
        }
    }
}
