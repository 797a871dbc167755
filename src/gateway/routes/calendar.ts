import { missing } from '../../contract/errors.ts';
import { CALENDAR_PATH } from '../../watches/calendar.ts';
import type { AccountWatches } from '../../watches/watches.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import { queryOf } from '../http/request.ts';
import type { RouteDependencies } from '../parts.ts';

/** The calendar of due dates, by the token in its address alone. A wrong one is 404, and counts as wrong credentials of the address. */
export function calendarRoute({ admission, responder }: RouteDependencies, { calendar }: Pick<AccountWatches, 'calendar'>): Route {
  return {
    methods: READ,
    path: CALENDAR_PATH,
    operation: 'calendar',
    async serve(context) {
      const address = await admission.admitAddress(context);
      const token = new Map(queryOf(context.request)).get('token') ?? '';
      const text = await calendar.read(token);
      if (text === null) {
        await admission.countWrongCredentials(context, address);
        throw missing('There is no such calendar: its address was replaced or ended. POST /v1/account/watches/calendar makes a new one.');
      }
      const headers = ['Content-Type', 'text/calendar; charset=utf-8', 'Cache-Control', 'private, max-age=3600'];
      responder.write(context, 200, headers, Buffer.from(text));
    },
  };
}
