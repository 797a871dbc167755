/** One request as a simulated platform sees it: the address is the original one, not the loopback one. */
export interface SandboxRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** When it came, epoch ms. */
  readonly at: number;
}
export interface SandboxResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}
/** A simulated platform: a pure function of the request and of its own seeded state. */
export interface SandboxHost {
  /** Origins it answers for, such as `https://oauth.reddit.com`; `https://*.example` for every host below. */
  readonly origins: readonly string[];
  readonly answer: (request: SandboxRequest) => SandboxResponse | Promise<SandboxResponse>;
}
/** A simulated WHOIS server: the query as sent, without CRLF, becomes the text as bytes or Latin-1/UTF-8 string. */
export interface SandboxWhois {
  readonly host: string;
  readonly answer: (query: string, at: number) => string | Uint8Array | Promise<string | Uint8Array>;
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
