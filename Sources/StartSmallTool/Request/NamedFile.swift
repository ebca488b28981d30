import Foundation
import StartSmall

/// A file in a folder, named by the server or the URL, which replaces no other file.
enum NamedFile {
    /// The file name if neither the server nor the URL contains one.
    static let defaultName = "download"

    /// The maximum number of files with the same name, 1000: a folder with more of them has another problem.
    static let mostCopies = 1000

    /// Returns a safe name: from `Content-Disposition`, or else from the last segment of the path (RFC 6266 4.3).
    static func name(of response: Response, from url: URL?) -> String {
        let last = (response.redirections.last?.to ?? url)?.path(percentEncoded: true).split(separator: "/").last
        let segment = last.flatMap { String($0).removingPercentEncoding }
        return response.contentDisposition?.safeFileName ?? segment.flatMap(FilenameSanitizer.from) ?? defaultName
    }

    /// Moves a file to a name, or to `name (2)` and so on if the name exists; nil if this fails.
    ///
    /// A hard link is created and the old name removed, so that a file that is created at the same time is not
    /// replaced.
    ///
    /// - Parameters:
    ///   - file: the file to move.
    ///   - name: the name of the file.
    ///   - folder: the folder of the new name.
    /// - Returns: the new name; nil if the file can't be moved.
    static func move(_ file: URL, to name: String, in folder: URL) -> String? {
        for number in 1...mostCopies {
            let name = number == 1 ? name : numbered(name, number)
            let target = folder.appendingPathComponent(name)
            do {
                try FileManager.default.linkItem(at: file, to: target)
                try FileManager.default.removeItem(at: file)
                return name
            } catch {
                if exists(target) { continue }
                // The file system does not support hard links.
                do { try FileManager.default.moveItem(at: file, to: target) } catch { return nil }
                return name
            }
        }
        return nil
    }

    /// Returns whether a name exists, including a symbolic link without a target.
    private static func exists(_ file: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil
    }

    /// Returns a name such as `report (2).pdf`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }
}
