import JSON

/// Names and gender of a made-up person.
struct Person {
  var names: [JSONValue]
  var gender: String
  var display: String

  init(_ random: inout SeededGenerator, culture: Culture) {
    let isFemale = Int.random(in: 0..<100, using: &random) < 52
    gender = Int.random(in: 0..<100, using: &random) < 3 ? "other" : isFemale ? "female" : "male"
    let given = (isFemale ? culture.female : culture.male).randomElement(using: &random) ?? "N"
    let index = Int.random(in: 0..<culture.families.count, using: &random)
    let family = culture.families[index]
    let isEastern = ["ja", "zh", "ko", "vi"].contains(culture.language)
    display = isEastern ? "\(family) \(given)" : "\(given) \(family)"
    names = [["use": "official", "text": .string(display), "family": .string(family), "given": [.string(given)]]]
    if culture.latin.indices.contains(index) {
      names.append(["use": "usual", "family": .string(culture.latin[index])])
    }
  }
}
