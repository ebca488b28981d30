import Foundation
import StartSmall
import StartSmallTesting

/// The file of a cassette, by its name without `.json`.
func cassette(_ name: String) -> URL {
    Bundle.module.bundleURL.appending(path: "Cassettes/\(name).json")
}
