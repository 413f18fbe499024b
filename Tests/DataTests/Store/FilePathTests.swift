import Data
import Testing

@Suite("Paths as text")
struct FilePathTests {
  @Test(
    "a path is cut at its last slash, however short it is",
    arguments: [
      ("a", "", "a"), ("é", "", "é"), ("/", "/", ""), ("", "", ""), ("//", "/", ""), ("/a", "/", "a"),
      ("a/b", "a", "b"), ("a//b", "a", "b"), ("/a/b/", "/a", "b"), ("./a", ".", "a"), ("../", "", ".."),
    ])
  func cuts(path: String, folder: String, name: String) {
    #expect(FilePath.folder(of: path) == folder)
    #expect(FilePath.name(of: path) == name)
  }
}
