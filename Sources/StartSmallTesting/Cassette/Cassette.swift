public import Foundation
import StartSmall

/// Recorded calls in a text file, which a test can replay without a network.
///
/// ```swift
/// let recording = Connector.standard.wrapped(by: .record(to: file))
/// let replaying = Connector.replay(from: file)
/// ```
///
/// The file is JSON with sorted keys, and one item per line: header fields as `Name: value`, text payloads as their
/// lines, and other payloads as Base64. JSON on one long line is split after its commas. The file is designed for
/// reviews, and for editing by hand.
public struct Cassette: Hashable, Sendable {
    /// The recorded exchanges, in order.
    public var exchanges: [Exchange]

    /// Creates a cassette.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }
}

extension Cassette {
    /// The version of the file format; any other version is refused.
    public static let version = 1

    /// Creates a cassette from the text of a file.
    ///
    /// - Parameter data: the text of the file.
    ///
    /// - Throws: ``CassetteError`` with the position of an error in the file.
    public init(reading data: Data) throws(CassetteError) {
        do {
            let file = try Self.file(in: data)
            guard file.version == Self.version else {
                throw CassetteError("version \(file.version) is not supported, only version \(Self.version)")
            }
            self.init(try file.exchanges.map { try $0.exchange })
        } catch let error as CassetteError {
            throw error
        } catch {
            throw CassetteError(DecodingError.text(of: error, in: data, calling: "the file"))
        }
    }

    private static func file(in data: Data) throws -> CassetteFile {
        do {
            return try JSONDecoder().value(CassetteFile.self, from: data)
        } catch {
            // A process may have ended while adding an exchange.
            guard let whole = CassetteLayout.beforeEnd(of: data),
                let file = try? JSONDecoder().value(CassetteFile.self, from: whole)
            else { throw error }
            return file
        }
    }

    /// Creates a cassette from a file.
    ///
    /// - Parameter file: the URL of the file.
    ///
    /// - Throws: ``CassetteError`` with the name of the file.
    public init(at file: URL) throws(CassetteError) {
        do {
            try self.init(reading: Data(contentsOf: file))
        } catch {
            throw CassetteError("\(file.lastPathComponent): \(SystemErrorText.text(of: error))")
        }
    }

    /// Returns the text of the file: the same bytes for the same exchanges.
    public func data() -> Data {
        CassetteLayout.file(of: exchanges.map(CassetteLayout.text))
    }

    /// Writes a file atomically; creates its folder if there is none.
    ///
    /// - Parameter file: the URL of the file.
    /// - Throws: the errors of Foundation, and ``CassetteError`` if the path is no regular file, such as a device.
    public func write(to file: URL) throws {
        try Self.write(data(), to: file)
    }

    static func write(_ data: Data, to file: URL) throws {
        let path = file.resolvingSymlinksInPath().path(percentEncoded: false)
        if let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let type = attributes[.type] as? FileAttributeType, type != .typeRegular
        {
            throw CassetteError("the path is not a regular file")
        }
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
    }
}
