import type { Calendar as Made, WatchCalendar } from '../../contract/account/watch-schemas.ts';
import { api, mayManage } from '../app/session.ts';
import { Act } from '../parts/act.tsx';
import { Card, Time } from '../parts/display.tsx';
import { useLoaded } from '../parts/page.tsx';

const PATH = '/v1/account/watches/calendar';

/** The address for calendar programs: shown once when it is made, afterwards when that was. */
function Address() {
  const { value, reload } = useLoaded((signal) => api<Made>(PATH, { signal }), []);
  const madeAt = value?.createdAt ?? null;
  return (
    <Card
      title="In your calendar"
      aside={
        madeAt && (
          <span class="caption">
            made on <Time at={madeAt} />
          </span>
        )
      }
    >
      <p class="about">An address that calendar programs subscribe to. It reads names and due dates, nothing else, and is shown once.</p>
      <div class="actions">
        <Act
          name={madeAt === null ? 'Make an address' : 'New link'}
          icon="link"
          says={`${madeAt === null ? '' : 'The old link ends at once. '}The new one is shown this once, and ends with the key of this session.`}
          confirm="Make it"
          run={async () => ({ secret: (await api<WatchCalendar>(PATH, { method: 'POST' })).url })}
          done={reload}
        />
        {madeAt !== null && (
          <Act
            name="End the address"
            style="quiet"
            says="Calendars that subscribed to it get nothing any more."
            run={() => api(PATH, { method: 'DELETE' })}
            done={reload}
          />
        )}
      </div>
    </Card>
  );
}

export const Calendar = () => mayManage() && <Address />;
