import type { Sealer } from '../../accounts/oauth/sealer.ts';
import type { Settings } from '../../settings.ts';
import { type SentResult, textOf } from './forms/form.ts';
import { cutTo, type Escape, joined, type Message, unlinked } from './message.ts';

export interface Mailer {
  /**
   * `to`: `mailto:` with one address. `account`: whose messages stop by the link in the mail. `id`: of the message, also where it is sent again;
   * null: none. The result is `250`, or what went wrong.
   */
  send(to: string, message: Message, account: string, id: string | null): Promise<SentResult>;
  /** The mail that asks an address to confirm. */
  ask(to: string, account: string): Promise<SentResult>;
}
export interface MailParts {
  readonly settings: Pick<Settings, 'SIGHTLINE_SMTP_URL' | 'SIGHTLINE_MAIL_FROM'>;
  readonly sealer: Sealer;
  readonly baseUrl: () => string | null;
  readonly now: () => Promise<number>;
}

export const CONFIRM_PATH = '/v1/notify/confirm';
export const STOP_PATH = '/v1/notify/stop';
export const CONFIRM_MS = 24 * 3_600_000;
const TIMEOUT_MS = 15_000;
const SUBJECT = 150;
const escaped: Escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const unlinkedHtml: Escape = (text) => escaped(unlinked(text));
/** A subject is no place of links, and people search and sort their mail by it. */
const same: Escape = (text) => text;
/** iOS makes links of phone numbers and dates, too. */
const NO_DETECTION = '<head><meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no"></head>';

type Act = 'confirm' | 'stop';
const sealName = (act: Act): string => `notify ${act}`;
/** What a link in a mail is for: the address of an account, until when. */
export interface MailLink {
  readonly account: string;
  readonly hash: string;
  readonly untilMs: number | null;
}
export const linkToken = (sealer: Sealer, act: Act, link: MailLink): string => sealer.seal(sealName(act), JSON.stringify(link));
/** Null: it was not made by this service, or its time is over. */
export function readLink(sealer: Sealer, act: Act, token: string, nowMs: number): MailLink | null {
  const text = sealer.open(sealName(act), token);
  const link = text === null ? null : (JSON.parse(text) as MailLink);
  return link === null || (link.untilMs !== null && link.untilMs < nowMs) ? null : link;
}

const page = (title: string, lines: readonly string[], foot: string): string =>
  `<!doctype html><html lang="en">${NO_DETECTION}<body style="margin:0 auto;max-width:600px;padding:16px;font:16px/1.5 sans-serif;color:#1a1d23"><h1 style="font-size:18px">${title}</h1>${lines.map((line) => `<p>${line}</p>`).join('')}<hr><p style="font-size:13px;color:#5a6170">${foot}</p></body></html>`;

const stopLine = (stop: string): string => `<a href="${escaped(stop)}">Stop these messages</a>.`;
function linkTo(path: string, base: string, token: string): URL {
  const link = new URL(path, base);
  link.searchParams.set('token', token);
  return link;
}

interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly messageId?: string;
}
/** What a mail of a message says. `stop`: the link that ends the messages. */
export function contentOf(message: Message, stop: string): Mail {
  const foot = `You get this because your address confirmed it. ${stopLine(stop)}`;
  const link = message.link === null ? [] : [`<a href="${escaped(message.link)}">Open in Sightline</a>`];
  const lines = message.lines.map((line) => joined(line, unlinkedHtml));
  return {
    // nothing that is not seen: programs that sort mail compare its characters
    subject: cutTo(joined(message.title, same).replace(/\p{Cf}/gu, ''), SUBJECT),
    text: `${textOf(message, unlinked)}\n\nStop these messages: ${stop}\n`,
    html: page(joined(message.title, unlinkedHtml), [...lines, ...link], foot),
  };
}

/** Sends mail through SIGHTLINE_SMTP_URL; null where it is not set. The transport is made with the first mail. */
export function createMailer({ settings, sealer, baseUrl, now }: MailParts, hashOf: (to: string) => string): Mailer | null {
  const { SIGHTLINE_SMTP_URL: server, SIGHTLINE_MAIL_FROM: from } = settings;
  if (server === null || from === null) return null;
  let transport: Promise<{ sendMail(mail: object): Promise<unknown> }> | null = null;
  const connected = () => {
    transport ??= import('nodemailer').then(({ createTransport }) => {
      const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
      return createTransport({ url: server, ...timeouts, disableFileAccess: true, disableUrlAccess: true });
    });
    return transport;
  };
  const addressOf = (to: string): string => decodeURIComponent(new URL(to).pathname);

  /** Sends what `written` makes of the address of the service and of the link that stops the messages. */
  async function sendMail(to: string, account: string, written: (base: string, stop: string) => Mail | Promise<Mail>): Promise<SentResult> {
    const base = baseUrl();
    if (base === null) return { result: 'not sent: the address of the service is not known yet', said: null };
    const { href: stop } = linkTo(STOP_PATH, base, linkToken(sealer, 'stop', { account, hash: hashOf(to), untilMs: null }));
    // the link as it is: an address that was folded or encoded is no address
    const headers = {
      // no notice of absence answers it (RFC 3834)
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': { prepared: true, value: `<${stop}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
    const mail = await written(base, stop);
    try {
      const address = addressOf(to);
      await (await connected()).sendMail({ from, to: { name: '', address }, headers, ...mail });
      return { result: '250', said: null };
    } catch (error) {
      const { responseCode, code } = error as { responseCode?: number; code?: string };
      // the words of a server may hold the address
      return { result: `the mail server said ${responseCode ?? code ?? 'nothing'}`, said: null };
    }
  }

  return {
    send: (to, message, account, id) =>
      sendMail(to, account, (_, stop) => ({
        ...contentOf(message, stop),
        // programs show a mail once that comes twice under one id
        ...(id !== null && { messageId: `<${id}@${/@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'}>` }),
      })),
    ask: (to, account) =>
      sendMail(to, account, async (base, stop) => {
        const untilMs = (await now()) + CONFIRM_MS;
        const { href } = linkTo(CONFIRM_PATH, base, linkToken(sealer, 'confirm', { account, hash: hashOf(to), untilMs }));
        const words = 'Somebody wants to send messages of Sightline to this address. If that is not you, do nothing.';
        return {
          subject: 'Confirm messages of Sightline',
          text: `${words}\n\nConfirm within 24 hours: ${href}\n\nStop these messages: ${stop}\n`,
          html: page(
            'Messages of Sightline',
            [words, `<a href="${escaped(href)}">Confirm within 24 hours</a>`],
            `One mail, because your address was entered. ${stopLine(stop)}`,
          ),
        };
      }),
  };
}
