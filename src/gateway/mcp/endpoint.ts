import type { EndpointId } from '../../contract/account/endpoints.ts';
import type { Account, AccountPrice } from '../../contract/account/schemas.ts';
import type { Input, Operation, OperationId } from '../../contract/operations/index.ts';

/** A lookup that a tool asks for. */
export interface ToolLookup {
  readonly operation: Operation;
  readonly input: Input;
  /** The parameters as they were given, by their names. */
  readonly texts: Readonly<Record<string, string>>;
  /** Credits above which the lookup is refused; null: no limit of the call. */
  readonly maxCredits: number | null;
  /** Only an answer that is in the cache, stale ones included. */
  readonly cachedOnly: boolean;
  /** Aborted where the caller waits no longer. */
  readonly signal: AbortSignal;
  /** Called with the id of each source before it is asked. */
  readonly asking?: (source: string) => void;
}

/** A resource with what its headers would say. */
export interface ToolAnswer {
  readonly resource: Readonly<Record<string, unknown>>;
  /** Credits charged. */
  readonly credits: number;
  /** Id of the charge in the ledger; null: nothing was charged. */
  readonly receipt: string | null;
  readonly source: string | null;
  /** `hit`, `miss`, `stale` or `collapsed`. */
  readonly cache: string | null;
  /** When the source was read, RFC 3339; null where it is not known. */
  readonly readAt: string | null;
  /** Fields that the source's page had but that could not be read. */
  readonly unread: readonly string[];
}

/** What tools do: for a caller of the service, through its HTTP interface, or on this machine's own sources. Each rejects with an error. */
export interface ToolCalls {
  lookup(lookup: ToolLookup): Promise<ToolAnswer>;
  /** `texts`: the parameters by their names, of which `input` was read. */
  price(operation: Operation, texts: Readonly<Record<string, string>>, input: Input): Promise<AccountPrice>;
  account(): Promise<Account>;
}

/** What a tool calls: an operation, or an endpoint of the account. */
export type ToolTarget = { readonly operation: OperationId } | { readonly endpoint: EndpointId };

/** The protocol above the gateway: it turns messages into tool calls. */
export interface McpEndpoint {
  /** Null: there is no such tool. */
  targetOf(tool: string): ToolTarget | null;
  /** Answers one message. `calls` are made for its caller. */
  answer(request: Request, message: unknown, calls: ToolCalls): Promise<Response>;
  /** Ends open streams. */
  close(): Promise<void>;
}
