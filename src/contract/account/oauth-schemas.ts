import { count, exactly, flag, list, oneOf, openRecord, record, text, words } from '../schema.ts';

/** `POST /v1/oauth/token` (RFC 6749, 5.1). */
export const AccessToken = openRecord(
  {
    access_token: text('JWT access token (RFC 9068).'),
    token_type: exactly('Bearer'),
    expires_in: count('Seconds that it lives.'),
    scope: text('Scopes of the token, separated by blanks.'),
  },
  { refresh_token: text('Gives the next pair of tokens, once; for apps to which a person granted access.') },
);
/** Errors of `POST /v1/oauth/token` (RFC 6749, 5.2). */
export const TokenError = record({
  error: oneOf(
    [
      'invalid_request',
      'invalid_client',
      'invalid_grant',
      'unsupported_grant_type',
      'invalid_scope',
      'invalid_target',
      'temporarily_unavailable',
      'server_error',
    ],
    'Code of RFC 6749, 5.2 or 4.1.2.1, or RFC 8707, 2.',
  ),
  error_description: text('What was wrong, and what to do.'),
});

/** RFC 8414, 2: metadata of this service as authorization server. */
export const ServerMetadata = openRecord(
  {
    issuer: text('`iss` of its tokens.'),
    token_endpoint: text('Where tokens are given.'),
    jwks_uri: text('Where its public keys are.'),
    scopes_supported: words('Scopes that there are.'),
    response_types_supported: words('`code`; none where apps cannot sign in.'),
    grant_types_supported: words('Grants of the token endpoint.'),
    token_endpoint_auth_methods_supported: words('How clients authenticate.'),
    service_documentation: text('Page for people.'),
  },
  {
    authorization_endpoint: text('Where a person lets an app use an account; absent where apps cannot sign in.'),
    registration_endpoint: text('Where apps register (RFC 7591).'),
    revocation_endpoint: text('Where an app ends its grant (RFC 7009).'),
    revocation_endpoint_auth_methods_supported: words('`none`: apps have no secret.'),
    response_modes_supported: words('How the code comes back.'),
    code_challenge_methods_supported: words('Methods of PKCE (RFC 7636).'),
    authorization_response_iss_parameter_supported: flag('Answers name the issuer (RFC 9207).'),
    client_id_metadata_document_supported: flag('`client_id` may be the URL of a metadata document.'),
  },
);
/** RFC 9728, 2: metadata of this service as protected resource. */
export const ResourceMetadata = record({
  resource: text('`aud` of the tokens that it accepts.'),
  authorization_servers: words('Issuers whose tokens it accepts.'),
  jwks_uri: text('Where its public keys are.'),
  scopes_supported: words('Scopes that there are.'),
  bearer_methods_supported: words('How a token is sent.'),
  resource_name: text('Name for people.'),
  resource_documentation: text('Page for people.'),
});
/** RFC 7517, 5. */
export const KeySet = record({
  keys: list(
    openRecord(
      { kty: text('Kind of the key.'), kid: text('Its id.'), alg: text('What it signs with.'), use: text('`sig`.') },
      {
        crv: text('Curve of an OKP key.'),
        x: text('Public part of an OKP key.'),
        n: text('Modulus of an RSA key.'),
        e: text('Exponent of an RSA key.'),
      },
    ),
    'Public keys: those that sign, that will sign, and that signed tokens which may still live.',
  ),
});
