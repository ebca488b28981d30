#if os(Linux)
    import CCurl
    import Foundation
    import Testing

    @testable import StartSmall

    @Suite("Finding libcurl") struct CurlLibraryTests {
        private func whyNot(_ library: String) -> String? {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { text in
                ccurl_load_error(library, text.baseAddress!, text.count).map { String(cString: $0) }
            }
        }

        @Test("The library that is here will do") func theLibraryThat() {
            #expect(Connector.curlUnavailable == nil)
            #expect(whyNot("libcurl.so.4") == nil)
            #expect(ccurl_version() >= 0x075100)
        }

        @Test(
            "The library is the one that the tests are to run over",
            .enabled(if: ProcessInfo.processInfo.environment["STARTSMALL_LIBCURL"] != nil, "make newest-curl names it")
        )
        func theOneThat() {
            let version = ccurl_version()
            let text = "libcurl/\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)"
            #expect(ProcessInfo.processInfo.environment["STARTSMALL_LIBCURL"] == text)
        }

        @Test("A library that is missing is told by its name") func aLibraryThat() throws {
            #expect(try #require(whyNot("libno-such-thing.so.4")).contains("libno-such-thing.so.4"))
        }

        @Test("A library without a function is told by both names") func aLibraryWithout() throws {
            let text = try #require(whyNot("libc.so.6"))
            #expect(text == "libc.so.6 has no curl_global_init; libcurl 7.81 or later is needed")
        }
    }
#endif
