import Foundation
import StartSmall

/// A file in a folder, named by the server or the URL, that replaces no other.
enum NamedFile {
    /// The name of a file whose server and URL give none.
    static let defaultName = "download"

    /// 1000: a folder with so many files of one name has another problem.
    static let mostCopies = 1000

    /// The name made safe: that of `Content-Disposition`, or else the last segment of the path (RFC 6266 4.3).
    static func name(of response: Response, from url: URL?) -> String {
        let last = (response.redirections.last?.to ?? url)?.path(percentEncoded: true).split(separator: "/").last
        let segment = last.flatMap { String($0).removingPercentEncoding }
        return response.contentDisposition?.safeFileName ?? segment.flatMap(FilenameSanitizer.from) ?? defaultName
    }

    /// Moves a file to this name, or to `name (2)` and so on where there is one already; nil if that fails.
    ///
    /// A hard link is made and the old name removed, so that no file is replaced that appears at the same time.
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
                // A file system without links.
                do { try FileManager.default.moveItem(at: file, to: target) } catch { return nil }
                return name
            }
        }
        return nil
    }

    /// Whether something has the name, be it a symbolic link that leads nowhere.
    private static func exists(_ file: URL) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: file.path)) != nil
    }

    /// Such as `report (2).pdf`.
    private static func numbered(_ name: String, _ number: Int) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name) (\(number))" }
        return "\(name[..<dot]) (\(number))\(name[dot...])"
    }
}
