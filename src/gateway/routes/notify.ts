import { invalid } from '../../contract/errors.ts';
import { CONFIRM_PATH, STOP_PATH } from '../../watches/notify/mail.ts';
import type { AccountWatches } from '../../watches/watches.ts';
import { READ } from '../http/assets.ts';
import { escaped, htmlPage, policyOf } from '../http/html-page.ts';
import type { Route } from '../http/listener.ts';
import { queryOf } from '../http/request.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RouteDependencies } from '../parts.ts';

const MAX_BODY_BYTES = 4_096;
const PAGES = {
  confirm: {
    path: CONFIRM_PATH,
    title: 'Messages of Sightline',
    asks: 'Send messages of watches to this address?',
    button: 'Confirm',
    done: 'Confirmed: messages arrive from now on.',
  },
  stop: {
    path: STOP_PATH,
    title: 'Stop messages of Sightline',
    asks: 'Stop the messages to this address?',
    button: 'Stop',
    done: 'Stopped: no more messages are sent.',
  },
} as const;
type Act = keyof typeof PAGES;
const OVER = 'This link is not valid any more: it lasts 24 hours, or its target was removed.';

/** The pages of links in mails. A GET changes nothing, because mail scanners open links; the button, or a one-click unsubscription (RFC 8058), does. */
export function notifyRoutes({ admission, responder }: RouteDependencies, { notify }: Pick<AccountWatches, 'notify'>): readonly Route[] {
  const write = (context: RequestContext, status: number, title: string, body: string): void => {
    const headers = [
      'Content-Type',
      'text/html; charset=utf-8',
      'Cache-Control',
      'no-store',
      'Content-Security-Policy',
      policyOf("'self'"),
    ];
    responder.write(context, status, headers, Buffer.from(htmlPage(title, body)));
  };
  const tokenOf = (context: RequestContext): string => new Map(queryOf(context.request)).get('token') ?? '';
  const routesOf = (act: Act): readonly Route[] => {
    const { path, title, asks, button, done } = PAGES[act];
    const of = { path, operation: 'notify' };
    return [
      {
        ...{ ...of, methods: READ },
        async serve(context) {
          await admission.admitAddress(context);
          const token = tokenOf(context);
          const link = await notify.link(act, token);
          const action = `${path}?token=${encodeURIComponent(token)}`;
          const form = `<p>${asks}</p><form method="post" action="${escaped(action)}"><button>${button}</button></form>`;
          write(context, link ? 200 : 404, title, link ? form : `<p>${OVER}</p>`);
        },
      },
      {
        ...{ ...of, methods: ['POST'], maxBodyBytes: MAX_BODY_BYTES },
        async serve(context) {
          await admission.admitAddress(context);
          if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(context.request.headers['content-type'] ?? ''))
            throw invalid('Content-Type must be application/x-www-form-urlencoded.');
          await admission.readBody(context);
          const isDone = await notify.decide(act, tokenOf(context));
          write(context, isDone ? 200 : 404, title, `<p>${isDone ? done : OVER}</p>`);
        },
      },
    ];
  };
  return [...routesOf('confirm'), ...routesOf('stop')];
}
