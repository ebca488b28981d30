import StartSmallTesting
import Testing

@Suite struct RecorderTests {
    @Test func isEmptyAtFirst() {
        #expect(Recorder<Int>().elements.isEmpty)
    }

    @Test func keepsTheOrder() {
        let recorder = Recorder<Int>()
        for number in 0..<3 { recorder.append(number) }
        #expect(recorder.elements == [0, 1, 2])
    }

    @Test func aCopyIsTheSameRecorder() {
        let recorder = Recorder<Int>()
        let copy = recorder
        copy.append(1)
        #expect(recorder.elements == [1])
    }

    @Test func losesNothingThatManyAppendAtOnce() async {
        let recorder = Recorder<Int>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1_000 { group.addTask { recorder.append(number) } }
        }
        #expect(recorder.elements.sorted() == Array(0..<1_000))
    }
}
