/** An OAuth client: its tokens authenticate its account. */
export interface ClientRow {
  /** `client_id`. */
  id: string;
  account_id: string;
  /** SHA-256 of the client secret, hex. */
  secret_hash: string;
  label: string;
  /** JSON array of scopes; null: all. */
  scopes: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

export interface SigningKeyRow {
  kid: string;
  /** JWS algorithm. */
  alg: string;
  /** Public JWK, JSON. */
  public: string;
  /** Private JWK, encrypted with the service's secret. */
  sealed: string;
  created_at: number;
  /** Start of signing; it ends when a newer key starts. */
  signs_from: number;
  /** Since this time all its signatures are refused. */
  dropped_at: number | null;
}

/** An app that registered itself (RFC 7591). */
export interface AppRow {
  /** `client_id`. */
  id: string;
  name: string;
  /** JSON array. */
  redirect_uris: string;
  created_at: number;
  /** Time of the last consent; null: none yet. */
  used_at: number | null;
}

/** What a person granted to an app. Account, cap, duration and end are those of its key, whose text nobody knows. */
export interface GrantRow {
  key_id: string;
  client_id: string;
  redirect_uri: string;
  /** PKCE challenge of its code, S256. */
  challenge: string;
  /** Audience of its access tokens. */
  resource: string;
  /** JSON array. */
  scopes: string;
  expires_at: number;
}

/** A code or a refresh token of a grant. Each is used once; the second use ends the grant. */
export interface GrantTokenRow {
  /** SHA-256, hex. */
  hash: string;
  key_id: string;
  kind: 'code' | 'refresh';
  expires_at: number;
  used_at: number | null;
}
