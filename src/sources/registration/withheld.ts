/** Placeholders that are printed instead of a value, collected from recorded answers. */
const WITHHELD =
  /\bredacted\b|^[ -/:-@[-`{-\u00bf\u2000-\u206f]*(?:redaction\b|private$|privacy(?: (?:protected|protection|requested))?[ -/:-@[-`{-\u00bf\u2000-\u206f]*$|protected[ -/:-@[-`{-\u00bf\u2000-\u206f]*$|anonym(?:ous|i[sz]ed|e)[ -/:-@[-`{-\u00bf\u2000-\u206f]*$|confidential[ -/:-@[-`{-\u00bf\u2000-\u206f]*$|not public|contact (?:via|domain holder)\b|(?:select|use) .*(?:form|link)\b|.*request e-?mail form|withheld (?:due|by|under|according)|data (?:privacy )?(?:protected|redacted|not disclosed)|not (?:disclosed|shown|displayed|published|available from registry)|non[- ]public data|gdpr[- ]mask(?:ed|ing)\b|masked(?: (?:by|for|due|upon|on|under|as per|because)\b|[^a-z]*$)|statutory masking|(?:registration|registrant|whois|domain) private|whois privacy has been activated|ano nymous$|hidden(?![a-z])(?! [a-z][a-z]+(?: [a-z]+){0,3}$)|hidden (?:by|for|due|upon|on|under|as per|because)\b|personal (?:data|information)\b|withheld$|restricted$|undisclosed$|suppressed$|obfuscated$|removed(?: for privacy)?$|blocked for privacy$|non-?public$|private (?:person|individual|data|information|domain owner|registrant|registration|name|owner)(?: \([^()]*\))?$|(?:natural|physical) person$|privatperson$|(?:information|identity|id|details|contact) (?:withheld|protected|hidden|removed|suppressed)$|(?:available )?(?:up)?on request$|gdpr(?:[- ](?:masked|protected|withheld))?$|(?:information )?withheld for privacy(?: reasons)?$|whois privacy$|datos (?:protegidos|privados)$|dados protegidos$|donn[ée]es (?:protégées|masquées)$|personne physique$|mag[áa]nszem[ée]ly$|скрыто$|(?:частное|физическое) лицо$|individual[ -/:-@[-`{-\u00bf\u2000-\u206f]*$|please (?:query|contact|ask|use|see|visit) |visit www\.|the registrant of this domain)/i;
/** The same as whole values in brackets or in the languages of registries: "hidden", "not public", "private person". */
const WITHHELD_WORDS = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:${[
    'private|privately held|privacy|domain privacy|data hidden|protected (?:by|for|due to) (?:gdpr|privacy)|(?:person|details|data|information) not disclosed',
    'public data unavailable|restricted access|not available (?:due to|because of) (?:gdpr|privacy)',
    'nicht (?:öffentlich|veröffentlicht)|natürliche person|geheim|niet (?:openbaar|gepubliceerd)|afgeschermd',
    'diffusion restreinte|priv[ée]e|non (?:divulgué|communiqué|publié)e?s?|confidentiel(?:le)?|particulier',
    'confidencial|privado|protegido|no publicado|não (?:divulgado|publicado)|persona (?:física|natural)|pessoa física',
    'dat[oi] nascost[oi]|persona fisica|dane (?:ukryte|niepubliczne)|osoba (?:fizyczna|prywatna)|neve[rř]ejné(?: údaje)?|fyzická osoba|rejtett',
    'fysisk person|yksityishenkilö|yksityinen henkilö|eraisik|privātpersona|fiziska persona|fizinis asmuo|gizli|gizlenmiştir',
    'donn[ée]es? (?:personnelles? )?(?:masquée|non publique|protégée|cachée)s?|informations? (?:masquée|non publique|protégée)s?|nom masqué|non publi(?:que|c)s?|masquée?s?',
    '(?:datos?|información|informação|dados) (?:(?:personales|pessoais) )?(?:ocult|protegid|privad|reservad)[oa]s?|ocult[oa]s?(?: (?:por|a) .{1,40})?|protegid[oa] (?:por|pel[oa]) .{1,20}',
    'dati (?:personali )?(?:non pubblici|protetti|nascosti)|nascost[oi]|versteckt|verborgen|datenschutz|(?:aus|aufgrund) .{0,12}datenschutz.{0,20} nicht .{1,20}|nicht (?:öffentlich )?(?:sichtbar|einsehbar)',
    'niet zichtbaar|privé ?persoon|ukryt[eyoa]|dane (?:chronione|osobowe)|skryt[éeoáa]|skjult|salattu|piilotettu|fyysinen henkilö|yksityinen|rejtett adat|ascuns|persoană fizică|φυσικό πρόσωπο',
    '(?:(?:персональные |личные )?данные )?(?:скрыт[аоы]?|не публикуются|не раскрываются)(?: .{1,40})?|(?:(?:особисті |персональні )?дані )?(?:приховано|приховані|не публікуються)|приховані дані|прихован[оаі]',
    '비공개 ?정보|(?:信息|隐私|隱私)(?:已?受?保护|已?受?保護)?|已?隐藏|已?隱藏|[不非]公[开開]|保密|非表示|ข้อมูลส่วนบุคคล',
    'данные скрыты|не публикуется|фізична особа|приватна особа|非公開|個人|自然人|隐私保护|비공개|개인(?:정보 ?보호)?',
  ].join('|')})[^\\p{L}\\p{N}]*$`,
  'iu',
);
/**
 * What is withheld, in which way, and why: "Registrant information hidden for privacy reasons", "This data is not publicly available". "Withheld
 * for Privacy Purposes" is the name that a privacy service prints for itself.
 */
const WITHHELD_SENTENCE = new RegExp(
  `^[^a-z0-9]*(?!withheld for privacy purposes)${[
    '(?:(?:this|these|the|all|some|any|your) )?(?:(?:registrant|registration|contact|owner|holder|personal|private|admin|administrative|technical|domain|whois|customer|user)(?:.?s)? ){0,2}',
    '(?:(?:data|details?|information|info|name|identity|id|contact|registrant|person|email|e-mail|address|phone|privacy|value|field) )?(?:(?:is|are|was|were|has been|have been) )?',
    '(?:hidden|withheld|protected|suppressed|obfuscated|masked|concealed|restricted|confidential(?: (?:data|information))?|undisclosed|unpublished|enabled(?<=privacy enabled)',
    '|(?:un|not )available(?= (?:due|because|for|by|under|publicly|to the public))|not (?:(?:been|be|made|for|publicly) ){0,2}(?:disclosed|shown|displayed|published|public|available(?<=publicly available)|visible|accessible(?<=publicly accessible)))',
    '(?: (?:display|publicly|to the public))?(?:,? (?:for|due to|because of|by|under|on|upon|at|according to|as per|per) [^.!?]{0,60}\\b(?:gdpr|privacy|ccpa|lgpd|laws?|protection|polic(?:y|ies)|requests?|consent|registrants?|owner|holder|registrar|registry|authori[sz]ation|regulations?|reasons?|purposes?|user|default|whois|rdds)\\b[^.!?]{0,30})?',
  ].join('')}[^a-z0-9]*$`,
  'i',
);
/** Letters that are covered by asterisks ("Ali ****", "j***@shop.example"). */
const MASKED = /[\p{L}\p{N}][^*]*\*{3,}|\*{3,}[^*]*[\p{L}\p{N}]/u;
/** Whether a value, with single spaces, is the placeholder of one that is withheld. */
export const isWithheld = (value: string): boolean =>
  WITHHELD.test(value.replaceAll('_', ' ').replace(/[.!]$/, '')) ||
  WITHHELD_WORDS.test(value) ||
  WITHHELD_SENTENCE.test(value) ||
  (value.includes('***') && MASKED.test(value));
