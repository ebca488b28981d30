public import Foundation
import StartSmall

/// Calls that were made once, kept in a text file, so that a test can have them again without a network.
///
/// ```swift
/// let recording = Connector.standard.wrapped(by: .record(to: file))
/// let replaying = Connector.replay(from: file)
/// ```
///
/// The file is JSON with sorted keys, one thing a line: header fields as `Name: value`, payloads as their lines where they
/// are text, and as Base64 otherwise. JSON on one long line is cut into several behind its commas. The file is made to be
/// read in a review, and to be changed by hand.
public struct Cassette: Hashable, Sendable {
    /// What was recorded, in order.
    public var exchanges: [Exchange]

    /// Creates a cassette.
    public init(_ exchanges: [Exchange] = []) {
        self.exchanges = exchanges
    }
}

extension Cassette {
    /// The form of the file that is written here; another one is refused.
    public static let version = 1

    /// Reads the text of a file.
    ///
    /// - Throws: ``CassetteError``, which says where in the file something is wrong.
    public init(reading data: Data) throws(CassetteError) {
        do {
            let file = try Self.file(in: data)
            guard file.version == Self.version else {
                throw CassetteError("version \(file.version), and only \(Self.version) can be read")
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
            return try JSONDecoder().decode(CassetteFile.self, from: data)
        } catch {
            // A process may have ended while it added an exchange.
            guard let whole = CassetteLayout.beforeEnd(of: data),
                let file = try? JSONDecoder().decode(CassetteFile.self, from: whole)
            else { throw error }
            return file
        }
    }

    /// Reads a file.
    ///
    /// - Throws: ``CassetteError``, which names the file.
    public init(at file: URL) throws(CassetteError) {
        do {
            try self.init(reading: Data(contentsOf: file))
        } catch {
            throw CassetteError("\(file.lastPathComponent): \(error)")
        }
    }

    /// The text of the file: the same bytes for the same exchanges.
    public func data() -> Data {
        CassetteLayout.file(of: exchanges.map(CassetteLayout.text))
    }

    /// Writes a file, which is there as a whole or as it was before; its folder is made if there is none.
    ///
    /// - Throws: what Foundation says, and ``CassetteError`` if there is something that is no regular file, such as a device.
    public func write(to file: URL) throws {
        try Self.write(data(), to: file)
    }

    static func write(_ data: Data, to file: URL) throws {
        let path = file.resolvingSymlinksInPath().path(percentEncoded: false)
        if let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let type = attributes[.type] as? FileAttributeType, type != .typeRegular
        {
            throw CassetteError("there is something that is no regular file")
        }
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try data.write(to: file, options: .atomic)
    }
}
