/// Names and places of one part of the world, for the seeded clinic. Lists are separated by spaces.
struct Culture: Sendable {
  var female: [String]
  var male: [String]
  var families: [String]
  /// The same families in Latin letters, when the script is another.
  var latin: [String]
  var streets: [String]
  var country: String
  var language: String

  init(
    _ female: String, _ male: String, _ families: String, latin: String = "", streets: String, country: String,
    language: String
  ) {
    let words = { (text: String) in text.split(separator: " ").map { String($0).replacing("_", with: " ") } }
    self.female = words(female)
    self.male = words(male)
    self.families = words(families)
    self.latin = words(latin)
    self.streets = words(streets)
    self.country = country
    self.language = language
  }

  static let all = [
    Culture(
      "Amelia Grace Ruby Nora Siân Maeve", "Oliver Jack Rhys Callum Tom Declan",
      "Smith O'Brien Taylor Evans MacDonald Fitz-Hugh",
      streets: "Mill_Lane Station_Road Church_Street", country: "GB", language: "en"),
    Culture(
      "Ana Lucía María_José Inés Begoña", "José Luis Íñigo Andrés Ramón", "García_López Núñez Ibáñez de_la_Cruz Peña",
      streets: "Calle_Mayor Avenida_del_Sol Plaza_Nueva", country: "ES", language: "es"),
    Culture(
      "Anneliese Jürgen-Marie Käthe Heike", "Björn Götz Matthias Uwe", "Müller Weiß Schäfer von_der_Heide Groß",
      streets: "Hauptstraße Gartenweg Am_Markt", country: "DE", language: "de"),
    Culture(
      "Zoé Chloé Anne-Laure Éléonore", "Étienne François Loïc Benoît", "Lefèvre Dupont L'Hôte Gérard Le_Goff",
      streets: "rue_de_l'Église avenue_Foch place_du_Marché", country: "FR", language: "fr"),
    Culture(
      "Agnieszka Zofia Łucja Żaneta", "Paweł Łukasz Bożydar Jan", "Wiśniewska Wójcik Łukasik Żak Nowak",
      streets: "ulica_Długa ulica_Lipowa", country: "PL", language: "pl"),
    Culture(
      "Ayşe Zeynep İrem Gül", "Mehmet Çağrı İsmail Ömer", "Yılmaz Öztürk Işık Şahin",
      streets: "Atatürk_Caddesi Gül_Sokak", country: "TR", language: "tr"),
    Culture(
      "Ольга Наталья Алёна Юлия", "Иван Пётр Сергей Артём", "Соколова Кузнецов Фёдорова Чайка",
      latin: "Sokolova Kuznetsov Fyodorova Chaika", streets: "улица_Ленина Садовая_улица", country: "KZ", language: "ru"
    ),
    Culture(
      "Ελένη Μαρία Δέσποινα", "Γιώργος Νίκος Σταύρος", "Παπαδόπουλος Νικολάου Οικονόμου",
      latin: "Papadopoulos Nikolaou Oikonomou",
      streets: "Ερμού Αθηνάς", country: "GR", language: "el"),
    Culture(
      "فاطمة عائشة ليلى", "محمد أحمد يوسف", "الخطيب حداد السيد", latin: "Al-Khatib Haddad El-Sayed",
      streets: "شارع_النيل شارع_الحرية", country: "EG", language: "ar"),
    Culture(
      "さくら 陽子 美咲", "健太 翔 一郎", "佐藤 鈴木 高橋", latin: "Sato Suzuki Takahashi", streets: "本町 桜通り", country: "JP",
      language: "ja"),
    Culture(
      "秀英 丽 静怡", "伟 志强 子轩", "王 李 欧阳", latin: "Wang Li Ouyang", streets: "人民路 中山路", country: "CN", language: "zh"),
    Culture(
      "지우 서연 하은", "민준 도윤 서준", "김 이 박", latin: "Kim Lee Park", streets: "종로 세종대로", country: "KR", language: "ko"),
    Culture(
      "Thị_Mai Ngọc_Ánh Thu_Hương", "Văn_Đức Quốc_Bảo Minh", "Nguyễn Trần Phạm Đặng",
      streets: "đường_Lê_Lợi phố_Huế", country: "VN", language: "vi"),
    Culture(
      "आशा प्रिया सीता", "राजेश अमित विजय", "शर्मा पटेल गुप्ता", latin: "Sharma Patel Gupta", streets: "गांधी_मार्ग स्टेशन_रोड",
      country: "IN", language: "hi"),
    Culture(
      "Amina Wanjiru Adaeze Chipo", "Kwame Oluwaseun Juma Tendai", "Okafor Mwangi Adébáyọ̀ Nkosi",
      streets: "Uhuru_Street Market_Road", country: "KE", language: "sw"),
    Culture(
      "Sigríður Guðrún Þóra", "Björn Þór Ægir", "Jónsdóttir Sigurðsson Þórarinsson", streets: "Laugavegur Hafnargata",
      country: "IS",
      language: "is"),
  ]
}
