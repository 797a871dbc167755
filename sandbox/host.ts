/** A request as a simulated platform receives it: `url` is the platform's address, not the loopback address. */
export interface SandboxRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Time of arrival, epoch ms. */
  readonly at: number;
  /** Day of the simulated platforms. Default: 0. */
  readonly day?: number;
}
export interface SandboxResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}
/** A simulated platform: its answer depends on the request, the day and seeded state only. */
export interface SandboxHost {
  /** Origins that it serves, such as `https://oauth.reddit.com`; `https://*.example` matches every subdomain. */
  readonly origins: readonly string[];
  readonly answer: (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>;
}
/** A simulated WHOIS server. `query` is without CRLF; a string is sent as UTF-8. */
export interface SandboxWhois {
  readonly host: string;
  readonly answer: (query: string, at: number, day?: number) => string | Uint8Array | Promise<string | Uint8Array>;
}
/** The simulated platforms of one area. */
export interface SandboxArea {
  readonly hosts: readonly SandboxHost[];
  readonly whois?: readonly SandboxWhois[];
  /** Settings for the demo: the credentials that the simulated platforms accept. */
  readonly settings?: Readonly<Record<string, string>>;
}

export const json = (body: unknown, status = 200, headers: Record<string, string> = {}): SandboxResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
});
export const html = (body: string, status = 200, headers: Record<string, string> = {}): SandboxResponse => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body,
});
export const redirect = (location: string, status = 302): SandboxResponse => ({ status, headers: { location }, body: '' });
