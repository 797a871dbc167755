/** Labels of the generated answer, in the languages of the most requested countries. */
const LABEL =
  /^(ai overviews?|übersicht mit ki|(visão geral|resumo) (criad[ao] por|d[ae]) ia|(vista|visión general|descripción general|resumen) (cread[ao] (con|por) |con |de )(la )?ia|aperçus? (de l.)?ia|résumé (par|de l.)?\s?ia|panoramica (creata )?(con|dall.)\s?(ia|ai)|ai-overzicht|ai による概要|ai 개요|ai (概览|概覽|摘要|總覽|总览)|przegląd od ai|yapay zeka(ya)? (genel bakış|özeti?)|обзор от ии|огляд від ші|ringkasan ai|ai-?översikt|ki-?oversikt|ai-?oversigt|tekoälyn yleiskatsaus|přehled od ai)$/i;
/** Disclaimers and buttons beside and below the answer; each is a separate line. */
const NOTICE =
  /^(learn more|feedback|thanks|tell us more|copilot answer|was this helpful|is this (answer|content) helpful|ask a follow-up|provide feedback|show (more|less|all)|see (more|less)|dive deeper in ai mode|thank you|thanks for (your|the) feedback|your feedback helps google improve|share more feedback|report a problem|opens in (a )?new (tab|window)|weitere informationen|mehr (anzeigen|erfahren)|weniger anzeigen|más información|mostrar (más|menos|todo|mais|tudo)|saiba mais|en savoir plus|afficher (plus|moins|tout)|ulteriori informazioni|scopri di più|mostra (altro|meno|tutto)|meer (informatie|weergeven|tonen)|więcej informacji|pokaż więcej|подробнее|показать (ещё|все)|daha fazla bilgi|もっと見る|자세히 알아보기|了解详情|瞭解詳情|pelajari lebih lanjut)[.!?…:]*$/i;
const DISCLAIMER =
  /^(generative ai is experimental|ai-generated content may be|(this |the )?(content|answer|summary|text|overview)?( was| is)? ?generated (using|with|by) ai\b|ai (responses|answers|overviews?) (may|can) (include|contain) (mistakes|errors)|ai can make mistakes|this is for informational purposes only\b.*(professional|mistakes)|for (medical|legal|financial) advice.*professional|access this menu with|use the .*keys? to|press .* (key )?to |generative ki ist|ki-antworten können|la ia generativa es experimental|las respuestas de (la )?ia pueden|a ia generativa é experimental|as respostas da ia podem|l.ia générative est expérimentale|les réponses de l.ia peuvent|l.(ia|ai) generativa è sperimentale|le risposte dell.(ia|ai) possono|generatieve ai is|ai-antwoorden kunnen|odpowiedzi ai mogą|generatywna ai|ответы ии могут|генеративный ии|yapay zeka yanıtları|生成 ?ai (は試験|はまだ)|ai の回答には|ai 대답에는|생성형 ai는|respons ai (mungkin|dapat))/i;
/** Texts that a page shows instead of an answer; some page versions include them in every page, hidden by class. */
const UNAVAILABLE =
  /an ai overview is not available|can.t generate an ai overview|não é possível gerar a visão geral|não está disponível para essa pesquisa|keine übersicht mit ki|обзор от ии (недоступен|не)|no se puede generar (la|una) (vista|descripción|visión)|impossible de générer (l.|un )?aperçu/i;

/** Whether a line of a generated answer is the engine's (label, button, disclaimer or keyboard hint) and not part of the answer. */
export function isEngineLine(line: string): boolean {
  return LABEL.test(line) || NOTICE.test(line) || (line.length < 260 && (DISCLAIMER.test(line) || UNAVAILABLE.test(line)));
}

/** Headings in the languages of the most requested countries. The whole heading must match. */
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
