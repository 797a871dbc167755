import { amount, flag, oneOf, orNull, record, text } from '../schema.ts';
import type { ValueOf } from './define.ts';
import { SourceCheck } from './schemas.ts';

export const CredentialTrial = record({
  ...SourceCheck.properties,
  stored: flag('Whether the credentials were stored and are in force now: only after an answer, and never those of the environment.'),
});
export type CredentialTrial = ValueOf<typeof CredentialTrial>;
export const SourceCredential = record({
  name: text('The setting that it stands for.'),
  source: text('The source that needs it.'),
  about: text('What it is.'),
  secret: flag('Whether it is shown to nobody again.'),
  state: oneOf(
    ['none', 'entered', 'environment', 'sealed_otherwise'],
    '`environment`: a variable of the environment, which wins and is not changed here, only tried. `sealed_otherwise`: entered under another SIGHTLINE_SECRET, and useless.',
  ),
  hint: orNull.text('Its last characters; null: it was not entered here.'),
  setAt: orNull.text('When it was entered, RFC 3339; null: it was not.'),
  usd: amount('What a trial costs at most, US dollars; 0: it is free.'),
});
export type SourceCredential = ValueOf<typeof SourceCredential>;
