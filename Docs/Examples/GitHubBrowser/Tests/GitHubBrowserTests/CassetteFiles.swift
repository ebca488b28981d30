import Foundation
import StartSmall
import StartSmallTesting

/// Returns the file of a cassette by its name without `.json`.
func cassette(_ name: String) -> URL {
    // On macOS, resources are not at the top of the bundle.
    (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appending(path: "Cassettes/\(name).json")
}
