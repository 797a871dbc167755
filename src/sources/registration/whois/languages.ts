/**
 * Labels and headings in the languages of registries other than English, in the form of `labels.ts`. They mean the same at every registry
 * that writes in the language, so none is bound to a top-level domain.
 */
export const ANYWHERE_NON_ENGLISH: Readonly<Record<string, string>> = {
  domain:
    'nom du domaine|domaine|dominio|domínio|nome dominio|domeinnaam|alan adı|nazwa domeny|domena|doména|домен|域名|도메인이름|nombre del dominio',
  ns: 'serveur de noms|serveurs de noms|serveur dns|serveurs dns|serveur de nom|serveur primaire|serveur secondaire|nom du serveur|servidor dns|servidores dns|servidor de nombres|servidores de nombres|servidor de nombre|servidor primario|servidor secundario|servidor de nomes|servidores de nomes|servidor de dns|servidores de dns|servidor primário|servidor secundário|server dns|server dei nomi|ad sunucusu|ad sunucuları|alan adı sunucuları|dns sunucusu|dns sunucuları|namensserver|naamserver|naamservers|serwer nazw|serwery nazw|serwery dns|navneserver|navneservere|namnservrar|namnserver|jmenný server|dns serveri|dns server ime|dns сервер|сервер имен|серверы имен|域名服务器|dns服务器|네임서버|primary dns|secondary dns|primary dns server|secondary dns server|primary nameserver|secondary nameserver|primary name server|secondary name server|domain nameserver|domain name server|domain nservers|name server hostname|dns name|dns name server|dns name servers|dns nameserver|dns nameservers|nserver name|nsserver|delegated to',
  dnssec: 'dnssec enabled|dnssec state|sécurisé|domain dnssec|is signed|secure dns',
  dsRecord:
    'ds|ds-record|ds-records|ds-key|ds key|ds rr|ds-rr|ds rrs|ds entry|ds digest|ds-digest|ds algorithm|ds keytag|ds key-tag|ds tag|ds hash|key tag|keytag|key-tag|dnskey record|dnssec key|dnssec keys|dnssec ds|dnssec record|dnssec records|dnssec ds record|dnssec data|delegation signer|delegation signer record|ds rdata record|trust anchor|enregistrement ds|registro ds|record ds',
};

/** Labels of the domain's own lines. Contacts have dates and statuses too, so these count only in the domain's section. */
export const DOMAIN_NON_ENGLISH: Readonly<Record<string, string>> = {
  registrar:
    'bureau d’enregistrement|bureau d’enregistrement|agent d’enregistrement|registraire|registrador|registrador de dominio|agente registrador|entidad registradora|entidade registadora|registratore|registrarstelle|kayıt operatörü|rejestrator|регистратор|注册商|등록대행자',
  created:
    'date de creation|date d’enregistrement|date enregistrement|date d’activation|date activation|date de création du domaine|créé le|cree le|crée le|enregistré le|enregistre le|fecha creacion|fecha creación|fecha de alta|fecha de activacion|fecha de activación|fecha registro|fecha de inscripcion|fecha de inscripción|creado|creado el|creado en|registrado|registrado el|data de registro|data de criacao|data registro|data criação|criado em|criado|registrado em|registado em|data creazione|data di creazione|data di registrazione|data registrazione|creato il|registrato il|kayıt tarihi|oluşturulma tarihi|başlangıç tarihi|registriert am|registrierungsdatum|registriert seit|erstellt am|angelegt am|datum registratie|geregistreerd op|data rejestracji|data utworzenia|utworzono|utworzony|registrert|registreret|registrerad|skapad|datum registrace|registrováno|datum registracije|дата регистрации|дата создания|создан|зарегистрирован|дата реєстрації|注册时间|注册日期|创建时间|등록일|registered since|first registered|date of registration|date of creation|registration start|registration date utc|domain created on|domain created date|domain creation date|domain registered on|record creation date|create on|created at|created time|reg date|reg created|start date|delegated on|delegation date',
  expires:
    'date expiration|date d’expiration|date d’échéance|date d’echeance|echéance|échéance|expire le|date de fin|fecha vencimiento|fecha de caducidad|fecha expiracion|fecha expiración|vence|vence el|vencimiento|expira|expira el|expira em|data de expiracao|data de vencimento|data expiração|validade|data de validade|data scadenza|data di scadenza|scadenza|scade il|bitiş tarihi|son kullanma tarihi|sona erme tarihi|läuft ab am|gültig bis|ablaufdatum|vervaldatum|verloopt op|data wygaśnięcia|data ważności|utløper|udløbsdato|upphör|datum expirace|platnost do|datum isteka|дата окончания|оплачен до|действителен до|дата закінчення|到期时间|过期时间|사용 종료일|expired on|expired date|expire on|expires at|expiry on|expiration on|domain expiry date|domain expires on|registration expires|registration expiration|registration expiration date|expiration date utc|valid to|valid till|valid-until|paid until|end date|date of expiration|date of expiry|registry expiry',
  updated:
    'dernière modification|derniere modification|dernière mise à jour|derniere mise a jour|date de modification|date de mise à jour|date modification|modifié le|mis à jour le|fecha de modificacion|fecha de modificación|fecha de actualizacion|fecha de actualización|ultima modificacion|última modificación|ultima modificación|modificado|modificado el|actualizado|actualizado el|data de modificação|data de atualização|última alteração|ultima alteração|última atualização|alterado em|atualizado em|data modifica|data ultima modifica|ultima modifica|data aggiornamento|ultimo aggiornamento|güncelleme tarihi|son güncelleme|son güncelleme tarihi|letzte änderung|geändert am|aktualisiert am|zuletzt geändert|laatst gewijzigd|ostatnia modyfikacja|data modyfikacji|sist oppdatert|senast ändrad|poslední změna|datum promene|дата изменения|изменен|последнее изменение|更新时间|최근 정보 변경일|last update on|last updated at|updated at|modified on|last edited|last change date|last changed|record last modified|last record update|date of last update|date of last change|update time|last update time|changed on|changed date|last modify date|date last modified|domain last updated',
  status:
    'statut du domaine|statut|état du domaine|etat du domaine|estado del dominio|estado do domínio|stato del dominio|domänenstatus|durum|stan domeny|статус|состояние|域名状态|domain status code|current status|status code',
};

/** Labels of a person or an organisation; the section decides whose. */
export const PERSON_NON_ENGLISH: Readonly<Record<string, string>> = {
  handle: 'id contact|identifiant|nic-handle|nichandle|contact handle|contact code|kontakt-id|person id',
  name: 'person-loc|nom|nom complet|nom du contact|nombre|nombre completo|nombre y apellidos|nome|nome completo|nome do contato|nominativo|ansprechpartner|naam|contactpersoon|isim|adı soyadı|ad soyad|imię i nazwisko|nazwa|navn|namn|jméno|ime|имя|фио|姓名|name of contact|contact person|person name|responsible person|registrant name|holder name|holder-name|owner name|owner-name|attention|attn',
  firstName: 'first name|firstname|prénom|prenom|vorname|primer nombre|primeiro nome|voornaam|imię|fornavn|förnamn|имя',
  lastName:
    'last name|lastname|family name|surname|nom de famille|nachname|apellido|apellidos|sobrenome|apelido|cognome|achternaam|nazwisko|etternavn|efternamn|soyadı|фамилия',
  organization:
    'organizacion|organización|organizacao|organização|organizzazione|société|societe|raison sociale|entreprise|organisme|établissement|empresa|razon social|razón social|razão social|entidad|entidade|institución|institucion|azienda|ente|firma|unternehmen|bedrijf|organisatie|kurum|kuruluş|şirket|organizacja|podmiot|organisasjon|organisation-loc|organization-loc|společnost|organizace|организация|організація|注册人|organization/company|company/organization|name of organization|organization-name|organisation-name|org name|orgname|org-name|business name|company-name|legal name',
  email:
    'courriel|adresse e-mail|adresse email|adresse mail|adresse électronique|mél|mel|correo|correo electronico|correo electrónico|e-mail de contacto|correio eletrônico|correio eletrónico|endereço eletrônico|posta elettronica|indirizzo email|e-posta|eposta|e-post|epost|e-postadress|adres e-mail|adres email|эл. почта|электронная почта|邮箱|电子邮件|e mail|emailaddress|email id|mail address|e-mailaddress|electronic mail|email contact',
  phone:
    'téléphone|numéro de téléphone|n° de téléphone|tél|teléfono|telefono|telefone|telefon|telefon no|telefoon|telefonnummer|telefoonnummer|tel no|tel number|phone no|phone-number|phone no. or mobile|phone number 1|telephone no|work phone|office phone|voice phone|contact phone|телефон|电话|mobile phone',
};

export const HEADINGS_NON_ENGLISH: Readonly<Record<string, string>> = {
  registrar:
    'bureau d’enregistrement|registraire|registrador|agente registrador|entidad registradora|entidade registadora|registratore|kayıt firması|rejestrator|регистратор',
  registrant:
    'titulaire|titulaire du domaine|contact titulaire|propriétaire|proprietaire|titular del dominio|titular do domínio|contacto titular|propietario|proprietário|titolare|registratario|assegnatario|inhaber|domaininhaber|domeinnaamhouder|houder|sahip|sahibi|alan adı sahibi|abonent|innehaver|innehavare|držitel|vlasnik|nosilec|владелец|администратор домена|реєстрант|holder c|holder-c|owner c|owner-c|registrant c|registrant-c|domain name holder|name holder|licensee|organisation details|registrant organization|holder contact|domain holder contact|owner details|registrant details|domain owner contact',
  administrative:
    'contact administratif|contacts administratifs|responsable administratif|contato administrativo|responsable administrativo|responsável administrativo|contacto responsable|contatto amministrativo|referente amministrativo|administrativer ansprechpartner|administrativer kontakt|administratieve contactpersoon|administratief contact|idari sorumlu|idari kontak|idari iletişim|kontakt administracyjny|administrativ kontakt|administrativni kontakt|admin c|admin-c|administrative c|административный контакт|администратор|ac contact|admin details|admin-contact|administrative-contact|administration contact',
  technical:
    'contact technique|contacts techniques|responsable technique|contato tecnico|contato técnico|responsable tecnico|responsable técnico|responsável técnico|contatto tecnico|contatti tecnici|referente tecnico|technischer ansprechpartner|technischer kontakt|technische contactpersoon|technisch contact|teknik sorumlu|teknik kontak|teknik iletişim|kontakt techniczny|teknisk kontakt|tehnički kontakt|tehnicni kontakt|tech c|tech-c|technical c|zone c|zone-c|zonec|технический контакт|технічний контакт|tc contact|tech details|tech-contact|technical-contact',
  billing:
    'contact facturation|contact de facturation|contact financier|responsable facturation|contacto de facturacion|contacto de facturación|contacto facturacion|contacto de pago|contacto de cobro|contato de cobrança|contato financeiro|responsável financeiro|contatto amministrativo fatturazione|contatto di fatturazione|rechnungskontakt|rechnungsansprechpartner|mali sorumlu|fatura sorumlusu|finansal kontak|kontakt rozliczeniowy|billing c|billing-c|bill c|финансовый контакт|bill contact|billing details|billing-contact|invoice contact|financial contact',
  ns: 'serveurs de noms|serveurs dns|serveurs de nom|servidores dns|servidores de nombres|servidores de nomes|servidores de dns|server dns|namensserver|naamservers|domain nameservers|alan adı sunucuları|ad sunucuları|dns sunucuları|serwery nazw|serwery dns|navneservere|namnservrar|dns serveri|серверы имен|dns|dns information|nameserver details|name server details|delegated name servers|authoritative name servers|domain name servers in listed order|nameservers information',
  keys: 'ds|ds rrs|ds data|ds entries|ds-records|dnssec records|dnssec information|dnssec ds records|delegation signer|dns keys|trust anchors',
  domain:
    'informations sur le domaine|informations du domaine|domaine|dominio|domínio|datos del dominio|dados do domínio|informações do domínio|fechas|datas|date importanti|daten|alan adı bilgileri',
};

/** Values of a label such as "Contact Type" that name the role of a contact. */
export const ROLE_VALUES: Readonly<Record<string, string>> = {
  registrant: 'registrant|owner|holder|titulaire|titular|titolare|inhaber|propriétaire|domain holder|licensee',
  administrative: 'administrative|admin|administrator|administratif|administrativo|amministrativo|administrativ|adm|ac',
  technical: 'technical|tech|technique|tecnico|técnico|technisch|tec|zone|tc',
  billing: 'billing|bill|facturation|financial|financier|financiero|financeiro|facturacion|facturación|invoice|bc',
};
export const ROLE_LABELS: ReadonlySet<string> = new Set(
  'contact type|type of contact|type de contact|tipo de contacto|tipo de contato|tipo di contatto|contact role|role|contact|contact-type'.split(
    '|',
  ),
);
