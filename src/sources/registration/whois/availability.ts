import { sameDomain } from '../hosts.ts';

/**
 * Sentences by which registry software reports that a domain is not registered. They depend on the software, not on the domain's TLD: one
 * program serves dozens of registries. A sentence that names a domain counts only if it names the queried one.
 */
const NAME = '[("\'«<\\[]*(?<name>[^\\s"\'«»<>()\\[\\]]+\\.[^\\s"\'«»<>()\\[\\],]*[^\\s"\'«»<>()\\[\\].:!,])\\.?[)"\'»>\\]]*';
/** Numbers and words that servers print before such a sentence. */
const BEFORE =
  '[\\s\\p{P}\\p{S}]*(?:(?:error|info|notice|response|message|result|whois|answer)\\b:? ?)?(?:\\d{1,3}:? ?)?(?:sorry,? )?(?:but,? )?';
const full = (text: string): RegExp => new RegExp(`^${BEFORE}(?:${text})[\\s.!…]*$`, 'iu');

/** Nouns for what was queried. */
const THING =
  '(?:domain[ _]?names?|domains?|objects?|names?|entr(?:y|ies)|records?|data|match(?:es)?|results?|answers?|info(?:rmation)?|record details)';
const ARTICLE = '(?:(?:the|this|that|your|above|an?|any|such|requested|queried|specified|given|selected|following) ){0,3}';
/** Phrases for where the server searched. */
const WHERE =
  '(?:(?:in|within|from|of|on|by|to|with|at) )?(?:the |this |that |our |your )?(?:\\S+ ){0,3}(?:database|registry|whois|source\\(?s?\\)?|records|krnic|system|registry or)';
const ASKED_FOR = `(?:for|matching|to match|that match(?:es)?|about|matched|with)(?: the| this| that| your)?(?: (?:domain(?: name)?|query|name|object))?`;
const REST = `(?: (?:${WHERE}(?: (?:for|matching) ${NAME})?|${ASKED_FOR}(?::? ?${NAME}(?: ${WHERE}| found| \\(ascii\\).*)?| (?:query|request|criteria|request criteria|search|search criteria|selected source\\(?s?\\)?))?))?`;
const IS = '(?:is|was|has|were|are|does|do|did|could|can|cannot|can not|have)';

const EMPTY: readonly RegExp[] = [
  // "No match for X", "no matching record", "No Data Found", "no entries found for the selected source(s)", "0 objects"
  `(?:there (?:is|are|was|were) )?(?:no|0|zero) (?:such |matching |match(?:ing)? |exact |whois |existing |valid |registered |found )*${THING}(?: ${THING})?(?: ${IS}(?: been)?)?(?: (?:found|match(?:ed)?|matching|returned|exists?|available))?${REST}`,
  `(?:there (?:is|are|was|were) )?no (?:such |matching |existing )*${THING}(?: ${IS}(?: been)?)?(?: found)?:? ${NAME}(?: ${IS} found)?(?: ${WHERE})?`,
  `(?:there (?:is|are) )?no(?:t|thing)? (?:${THING} )?(?:found|matching|registered)(?: ${THING})?${REST}`,
  `no[t]? f(?:ound|ind)[. ]*(?:matching ?record)?:? ?(?:${NAME})?`,
  `(?:we |i )?(?:do|did|could|can)(?: ?n[o']t|not) (?:have|find|locate)(?: \\S+){1,6} (?:database|registry|whois)(?: (?:matching|for) (?:your|this|the) \\S+)?`,
  `(?:(?:your|the|this) )?(?:query|search|lookup)(?: has)? returned (?:no|0|zero) ${THING}`,
  `(?:we |i )?(?:do|did|could|can)(?: ?n[o']t|not) (?:find|locate|have)(?: (?:the|any|an?|your))?(?: ${THING})?(?: (?:for|about|matching))?:? ${NAME}`,
  `nothing (?:was )?found${REST}`,
  `(?:no_se_encontro_el_objeto/)?object[_ ]not[_ ]found`,
  `\\(?null\\)? (?:record|result)`,
].map(full);

const NOT_THERE: readonly RegExp[] = [
  // "Domain X was not found", "the queried object does not exist", "this domain name has not been registered", "X is not registered"
  `${ARTICLE}(?:${THING})?:? ?(?:${NAME})?(?: ?\\(\\S+\\))?,? ?(?:domain(?: name)? |you (?:have )?(?:requested|entered|queried) )?(?:${IS} )?(?:not|n't)(?: yet| currently| been| be| a)*(?: (?:found|registered|exists?|known|present|assigned|located|registered (?:\\.\\S+ )?domain(?: name)?))(?: (?:yet|anymore))?(?: ${WHERE}| under \\S+)?`,
  `${ARTICLE}(?:domain|domain name|object|name|query) (?:unknown|unregistered|inexistent|non-existent|nonexistent|unassigned|does ?n[o']t exist)`,
  `unknown domain(?: name)?:? ${NAME}`,
  `${ARTICLE}(?:${THING} )?${NAME}:? (?:is )?(?:unknown|unregistered|unassigned|non-existent)`,
  `${NAME} ?[-:–]? ?(?:no match|not found|no entries found|available|free|no data|unregistered|not registered|no existe|no object found)(?: found)?`,
  `not registered(?: - .*?${NAME}.*)?`,
  `(?:domain|name)[ _]?(?:name)? ?[-:] ?${NAME} ?[-:] ?(?:available|free|not found|not registered)`,
  // a sentence of Team Internet's and ZDNS's software, followed by any reason
  `${ARTICLE}queried object does not exist(?:: ?(?:${NAME}|(?!.*(?:reserv|block|support|restrict|prohibit|invalid|tld|polic|limit)).{0,80}))?`,
  `(?:invalid query or )?domain name not known in .{1,40} registry`,
].map(full);

const AVAILABLE: readonly RegExp[] = [
  `${ARTICLE}(?:domain(?: name)?:? )?${NAME}:? ?(?:- )?(?:is |may be |appears to be )?(?:still |currently |now )?(?:available|free|unregistered|not taken)(?: (?:for|to) (?:registration|register|purchase|sale|be registered|delegation|order)\\b.{0,60})?`,
  `(?:data not found\\. )?${ARTICLE}(?:domain|name|domain name) (?:is|may be|appears to be) (?:still |currently )?(?:available|free)(?: (?:for|to) (?:registration|register|purchase|be registered).{0,60})?`,
  `(?:is[ _])?available: ?(?:yes|true|1)`,
  `(?:is[ _])?registered: ?(?:no|false|0)`,
  `(?:domain )?available(?: for registration)?`,
].map(full);

/** Values of a status line, in the languages of the registries. */
const STATUS = new RegExp(
  `^(?:extended )?(?:(?:domain|registration|query|record|name|whois|object)[ _])?(?:name )?(?:status|statut|estado|état|etat|stato|durum|stan|state|situação|verfügbarkeit)\\.*\\s*: ?(?:220 )?(?:free|available(?: for registration)?|un-?registered|not[ _]registered|not found|not exists?|no object found|no match|not assigned|unassigned|libre|disponible|disponível|livre|disponibile|libero|frei|wolna|volná|müsait|available to register)(?: \\((?:no match|not found)(?: for)?(?: domain)?:? ?(?:${NAME})?\\)?)?[.!]*$`,
  'iu',
);

/** Other languages; a domain before or within the sentence is compared with the queried one. */
const LANGUAGES: readonly RegExp[] = [
  // Spanish, Portuguese
  `(?:el |la |o |a )?(?:nombre de |nome de |nome do )?(?:dominio|domínio|domain|registro|registo|objeto)?:? ?(?:${NAME})?(?: -)? ?(?:no|não|nao) (?:se encuentra |se encontr[oó] |se ha |est[aá] |esta |foi |é |fue |existe\\b|encontrado|registrado|registado)(?:registrado|registado|encontrado|disponible|asignado|delegado)?(?: (?:en|no|na|em) .{1,60})?`,
  `(?:el |o )?(?:nombre de |nome de )?(?:dominio|domínio) (?:${NAME} )?(?:est[aá] |é |es )?(?:disponible|disponível|libre|livre|inexistente|desconocido)(?: para .{1,40})?`,
  `(?:nenhum|ning[uú]n|no hay|no se encontraron|sem) (?:objeto|objetos|registo|registro|registros|registos|dominio|domínio|datos|dados|resultados?)(?: (?:encontrados?|hallados?))?`,
  `no existe (?:el |este |ning[uú]n )?(?:dominio|registro|objeto)(?: ${NAME})?`,
  // French
  `(?:le |ce |la )?(?:nom de )?(?:domaine|objet|nom)?:? ?(?:${NAME})? ?(?:est )?(?:inconnu|disponible|libre|non (?:trouvé|enregistré|attribué)|n'(?:existe pas|est pas (?:enregistré|attribué|trouvé)|a pas été trouvé))e?(?: (?:dans|à|pour) .{1,60})?`,
  `(?:aucune?|pas d[e'])\\s?(?:objet|enregistrement|résultat|entrée|donnée|correspondance|domaine)s?(?: (?:trouvée?s?|correspondante?))?(?: (?:dans|pour) .{1,60})?`,
  // Italian, German, Dutch
  `(?:il |questo )?(?:dominio|oggetto) (?:${NAME} )?(?:non (?:trovato|registrato|esiste|è registrato|è stato trovato)|è (?:libero|disponibile)|libero|disponibile)`,
  `nessun[ao]? (?:oggetto|record|risultato|dato|dominio)(?: trovat[oa])?`,
  `(?:der |die |diese )?(?:domain|domänen?|domainname|eintrag)?:? ?(?:${NAME})? ?(?:ist |wurde )?(?:nicht (?:gefunden|registriert|vergeben|vorhanden)|noch frei|frei|verfügbar)`,
  `keine? (?:einträge|eintrag|daten|treffer|ergebnisse?|domain)(?: (?:gefunden|vorhanden))?`,
  `(?:het )?(?:domein|domeinnaam) (?:${NAME} )?(?:is )?(?:vrij|niet (?:gevonden|geregistreerd)|beschikbaar)`,
  // Turkish, Polish, Czech, Hungarian, Nordic
  `(?:${NAME} )?(?:alan adı )?(?:bulunamadı|kayıtlı değil|kayıt bulunamadı|tahsis edilmemiş)`,
  `(?:domena )?(?:${NAME} )?(?:nie istnieje|nie znaleziono|nie jest zarejestrowana|wolna|jest wolna)|brak danych`,
  `(?:nincs talalat|nincs találat)(?: ?/ ?no match)?`,
  `(?:doména |domena )?(?:${NAME} )?(?:nenalezena?|nebyla nalezena|není registrována|je volná|ne postoji|ni registrirana|nije registriran[ao]?)`,
  // Russian, Ukrainian
  `(?:домен(?:ное имя)? )?(?:${NAME} )?(?:не (?:найден[оа]?|зарегистрирован[оа]?|знайдено|зареєстрован[оий]+|существует)|свободен|свободно|вільний)(?: .{1,60})?`,
].map(full);
/** Scripts without word boundaries: the beginning of the sentence is matched. */
const SCRIPTS =
  /^(?:상기 도메인이름은 등록되어 있지 않습니다|(?:该|此|您)?(?:所)?(?:查询的)?(?:域名|網域名稱|网域名称)?(?:未注册|未註冊|尚未注册|尚未註冊|不存在|可以注册)|没有找到|沒有找到|找不到|無符合|该域名未|登録されていません|該当するデータがありません)/u;

/** Whether a line states that the queried domain is not registered. */
export function saysAvailable(line: string, asked: string): boolean {
  if (SCRIPTS.test(line)) return true;
  const state = STATUS.exec(line);
  if (state) return isAsked(state.groups?.name, asked);
  // the same sentence in two languages
  const [one = '', other] = line.split(' / ');
  if (other !== undefined) return saysAvailable(one, asked) || saysAvailable(other, asked);
  for (const phrases of [EMPTY, NOT_THERE, AVAILABLE, LANGUAGES]) {
    for (const phrase of phrases) {
      const found = phrase.exec(line);
      if (found && isAsked(found.groups?.name, asked)) return true;
    }
  }
  return false;
}
const isAsked = (name: string | undefined, asked: string): boolean => name === undefined || sameDomain(name, asked);
