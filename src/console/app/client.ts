import { Sightline } from '../../client/sightline.ts';
import { actingFor } from './api.ts';

/** The typed client for the account pages: the cookie of the session is the credential. */
export const accountClient = (): Sightline =>
  new Sightline({
    baseUrl: location.origin,
    apiKey: null,
    maxRetries: 1,
    headers: { 'X-Sightline-Console': '1', ...(actingFor.value !== null && { 'X-Sightline-Account': actingFor.value }) },
  });
