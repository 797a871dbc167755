import type { WatchChange } from '../../contract/account/watch-schemas.ts';
import { moment } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import type { Column } from '../parts/table.tsx';
import { ICONS } from './target-acts.tsx';
import { FORM_NAMES, type Message, messagesOf } from './targets.ts';

const targetName = ({ as }: Message): string => (as === 'webhook' ? 'Webhook' : as === null ? 'a removed target' : FORM_NAMES[as]);
function toldInShort(one: Message): string {
  const { deliveredAt, nextAt } = one;
  return deliveredAt !== null ? targetName(one) : `${targetName(one)} ${nextAt === null ? 'did not take it' : 'waits'}`;
}
const toldAtLength = ({ to, deliveredAt, nextAt, result }: Message): string =>
  [to, deliveredAt ? `taken ${moment(deliveredAt)}` : (result ?? 'not sent yet'), !deliveredAt && nextAt && `next try ${moment(nextAt)}`]
    .filter(Boolean)
    .join(', ');

/** Who was told of a change, and how that went. */
export const toldColumn = (messages: readonly Message[]): Column<WatchChange> => ({
  id: 'told',
  name: 'Told',
  value: (change) => messagesOf(change, messages).map(toldInShort).join(', ') || null,
  none: 'in the feed alone',
  of: (change) => {
    const told = messagesOf(change, messages);
    if (told.length === 0) return null;
    return (
      <span class="told">
        {told.map((one) => (
          <span key={`${one.as}${one.to}`} class="iconed" title={toldAtLength(one)}>
            <Icon name={one.as === null || one.as === 'webhook' ? 'link' : ICONS[one.as]} /> {toldInShort(one)}
          </span>
        ))}
      </span>
    );
  },
});
