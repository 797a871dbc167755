/**
 * Headings of blocks that are recognisable by their text only, in the languages of the most requested countries. The whole heading must
 * match.
 */
const NEWS =
  /^(top stories|top news|in the news|latest news|schlagzeilen|top-meldungen|top-?berichte|à la une|actualités?|principales actualités|noticias destacadas|historias principales|noticias principales|principais notícias|destaques|notizie principali|in primo piano|topverhalen|nieuws|najważniejsze artykuły|główne wiadomości|главные новости|новости|トップニュース|ニュース|주요 뉴스|주요뉴스|焦點新聞|焦点新闻|头条新闻|頭條新聞|öne çıkan haberler|en çok okunan haberler|toppnyheter|populære historier|topphistorier|أهم الأخبار|berita utama|tin bài hàng đầu|ข่าวเด่น|hlavní zprávy|pääuutiset|κορυφαίες ειδήσεις|головні новини|मुख्य समाचार)$/i;
const VIDEO =
  /^(videos?|vidéos?|vídeos?|video's|filmy( wideo)?|filmy|видео|відео|動画|動画検索|동영상|비디오|视频|影片|videolar|videor|videoer|الفيديوهات|فيديوهات|วิดีโอ|videa|βίντεο|वीडियो|short videos|kurze videos|vidéos courtes|vídeos? cortos?|vídeos curtos|video brevi|ショート動画|짧은 동영상|短视频)$/i;

export const isNewsHeading = (text: string): boolean => NEWS.test(text.trim());
export const isVideoHeading = (text: string): boolean => VIDEO.test(text.trim());

/** The engine's notices of no results. Read only on pages without entries. */
const NOTHING =
  /did not match any|no results (found )?for|there are no results|es wurden keine mit ihrer suchanfrage|keine (ergebnisse|dokumente) (gefunden|übereinstimm)|stimmte mit keinem|übereinstimmenden dokumente gefunden|no se han encontrado resultados|no obtuvo ningún resultado|no hay resultados para|no encontró ningún documento|não (encontrou|produziu) nenhum|não foram encontrados|nenhum resultado (encontrado )?para|aucun (document|résultat) (ne correspond|trouvé|pour)|la ricerca di .* non ha prodotto|non ha prodotto risultati|nessun risultato|heeft geen (overeenkomende )?(documenten|resultaten)|komt niet overeen met|geen resultaten|podana fraza .* nie została odnaleziona|nie znaleziono|ничего не найдено|нет результатов|не знайдено|нічого не знайдено|に一致する(情報|ウェブ ?ページ)は見つかりませんでした|一致する.*見つかりません|와 ?일치하는 검색결과가 없습니다|검색결과가 없습니다|找不到(和|与|與|符合)|找不到.*相符的|没有找到与|ile ilgili hiçbir arama sonucu mevcut değil|aradığınız .* bulunamadı|matchade inte några dokument|gav inga (träffar|resultat)|matchede ikke nogen dokumenter|ingen resultater|samsvarte ikke med|لم يطابق|لم يتم العثور|tidak cocok dengan dokumen|tidak ditemukan|không (khớp với|tìm thấy)|ไม่ตรงกับเอกสาร|ไม่พบ(ผลลัพธ์|ข้อมูล)|neodpovídají žádné|nebyly nalezeny|ei löytynyt|ei tuottanut tuloksia|δεν βρέθηκαν|nem felel meg|nincs találat|nu corespunde|nu s-au găsit|לא נמצאו|से मेल खाने वाला|कोई परिणाम नहीं/i;
export const saysNothingFound = (text: string): boolean => NOTHING.test(text);
