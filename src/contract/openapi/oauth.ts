import { ALL_SCOPES } from '../scopes.ts';
import { type Example, errorResponses, openGet, success } from './responses.ts';
import type { JsonObject } from './schemas.ts';

const tokenAnswer = (description: string, schema: string, headers: readonly string[], example?: 'oauth-token'): JsonObject =>
  success({ description, schema, headers: ['X-Request-Id', 'Cache-Control', ...headers], example });

const token: JsonObject = {
  post: {
    operationId: 'oauthToken',
    tags: ['oauth'],
    summary: 'An access token for client credentials, a code or a refresh token',
    description:
      'RFC 6749, 4.4. The client authenticates by Basic authentication or in the body, not both. Without `scope` the token has all scopes of the client. Apps to which a person granted access send a code with its PKCE verifier, later their refresh token, and `client_id` without a secret (OAuth 2.1, 4.1.3 and 4.3).',
    security: [{ client: [] }, {}],
    requestBody: {
      required: true,
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['grant_type'],
            properties: {
              grant_type: { type: 'string', enum: ['client_credentials', 'authorization_code', 'refresh_token'] },
              scope: { type: 'string', description: `Separated by blanks: ${ALL_SCOPES.join(', ')}.` },
              client_id: { type: 'string' },
              client_secret: { type: 'string' },
              code: { type: 'string' },
              code_verifier: { type: 'string' },
              redirect_uri: { type: 'string', format: 'uri' },
              refresh_token: { type: 'string' },
              resource: { type: 'string', format: 'uri', description: 'Where the token will be used (RFC 8707): this service.' },
            },
          },
          example: { grant_type: 'client_credentials', scope: 'registration account' },
        },
      },
    },
    responses: {
      '200': tokenAnswer('The token.', 'AccessToken', [], 'oauth-token'),
      '400': tokenAnswer('The request, its grant or its scope is wrong.', 'TokenError', []),
      '401': tokenAnswer('The client or its secret is wrong.', 'TokenError', ['WWW-Authenticate']),
      '413': tokenAnswer('The body is too large.', 'TokenError', []),
      '415': tokenAnswer('The body has a content coding.', 'TokenError', ['Accept-Encoding']),
      '501': tokenAnswer('The request has an unknown transfer coding.', 'TokenError', []),
      '505': tokenAnswer('The request has another HTTP version than 1.1 or 1.0.', 'TokenError', []),
      '429': tokenAnswer('Too many requests, or too many wrong secrets.', 'TokenError', ['Retry-After', 'RateLimit', 'RateLimit-Policy']),
      '500': tokenAnswer('A defect of the service.', 'TokenError', []),
      '503': tokenAnswer('Overloaded, shutting down, or without store.', 'TokenError', ['Retry-After']),
      ...errorResponses([405, 414, 431]),
    },
  },
};

const document = (path: Example, operationId: string, summary: string, description: string, schema: string): JsonObject => ({
  [path]: openGet('oauth', operationId, summary, description, { description: summary, schema, headers: ['Cache-Control'], example: path }),
});

export const oauthPaths: JsonObject = {
  '/v1/oauth/token': token,
  ...document(
    '/.well-known/oauth-authorization-server',
    'oauthServerMetadata',
    'The authorization server (RFC 8414)',
    'Where tokens are given, for which grants and scopes, and how clients authenticate.',
    'ServerMetadata',
  ),
  ...document(
    '/.well-known/oauth-protected-resource',
    'oauthResourceMetadata',
    'The protected resource (RFC 9728)',
    'Which audience and scopes a token needs here, and whose tokens are accepted.',
    'ResourceMetadata',
  ),
  ...document(
    '/.well-known/jwks.json',
    'oauthKeys',
    'Public keys of access tokens (RFC 7517)',
    'For services that verify the tokens of this authorization server themselves.',
    'KeySet',
  ),
};
