import { CopyButton, LinkButton } from '../parts/controls.tsx';
import { operationName } from './operations.ts';
import { session } from './session.ts';
import type { Ways } from './ways.ts';

type Way = Ways[number];
/** The page of a source in the operator's console. */
export const sourceAt = (source: string): string => `/console/sources/${encodeURIComponent(source)}`;
/** What the page of a source that lacks credentials is opened for. */
export const addWords = (lacking: readonly string[]): string =>
  lacking.every((name) => name.endsWith('_URL')) ? 'Add address' : 'Add key';

const WHERE = 'under Sources, in the operator’s console of Sightline';
/** A note for whoever can switch a source on: what, what it costs, and where it was needed. */
function noteFor(id: string, { provider, lacking, byKey, free, price }: Way['sources'][number]): string {
  const costs = [free && `Free: ${free}.`, price && `Price: ${price}.`].filter(Boolean).join(' ');
  const where = byKey ? `entered ${WHERE}` : 'set in the environment of the service';
  return `Could you switch on ${provider} for ${operationName(id)}? ${costs} It lacks ${lacking.join(' and ')}, ${where}. I need it for ${location.href}`;
}
/** The same for any of the sources of an operation. */
export const noteOf = ({ id, cure }: Way): string =>
  `Could you switch on a source for ${operationName(id)}? ${cure} It is entered ${WHERE}. I need it for ${location.href}`;

/** Switches on a source of an operation: for the operator its page, for others a note that asks for it. Nothing where it is on. */
export function AskFor({ id, source }: { id: string; source: Way['sources'][number] }) {
  const { name, provider, lacking, byKey } = source;
  if (lacking.length === 0) return null;
  if (session.value?.kind === 'operator')
    return <LinkButton href={sourceAt(name)} text={byKey ? addWords(lacking) : 'Open'} of={provider} />;
  return (
    <CopyButton text={() => noteFor(id, source)} of={provider} style="">
      Ask for it
    </CopyButton>
  );
}
