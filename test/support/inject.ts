import lightMyRequest, { type InjectOptions, type Response } from 'light-my-request';
import { createEntrance, type Entrance } from '../../src/gateway/console/entrance.ts';
import type { Listener } from '../../src/gateway/http/listener.ts';
import { bareHttp, type HttpDependencies } from '../../src/gateway/http/request-context.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { silent } from '../../src/telemetry/log.ts';
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.ts';

/** Sends a request to a listener without a socket. */
export const inject = ({ server }: Listener, request: InjectOptions | string): Promise<Response> =>
  lightMyRequest((asked, response) => void server.emit('request', asked, response), request);

/** What an admin listener needs of HTTP. */
export const adminHttp = (metrics: Metrics = createMetrics({ version: '0.0.0' })): HttpDependencies =>
  bareHttp({ clock: realClock, log: silent, metrics, random: () => 0.5 });

/** The operator's entrance where nobody signs in: this token alone is accepted. */
export const tokenEntrance = (adminToken: string): Entrance => createEntrance({ find: async () => null }, { adminToken, publicUrl: null });
