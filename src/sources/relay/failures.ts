import { blocked, limited, type NotFound, refused, refusedAccount, unreachable } from '../outcome.ts';
import type { Meaning } from './config.ts';

/** The outcome of a failure that the provider's documentation tells apart. */
const OUTCOMES: Readonly<Record<Meaning, (detail: string) => NotFound>> = {
  credentials: (detail) => refusedAccount("The data provider did not accept this service's credentials.", detail),
  allowance: (detail) => refusedAccount("The allowance of this service's account at the data provider is used up.", detail),
  limited: (detail) => limited('The data provider limits the number of requests.', null, detail),
  blocked: (detail) => blocked('The data provider was refused by the platform.', detail),
  failed: (detail) => unreachable('The data provider failed on its side.', detail),
  request: (detail) => refused('The data provider did not accept the request.', detail),
};
export const outcomeOfMeaning = (means: Meaning, detail: string): NotFound => OUTCOMES[means](detail);

/** Of 404 and 410, where the operator has not said that they mean "does not exist": anybody may send them. */
export const UNSAID = "The data provider's answer does not say whether it exists.";
