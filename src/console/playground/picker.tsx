import { useSignal } from '@preact/signals';
import { contract } from '../app/session.ts';

/** The operations by area, with a search. */
export function Picker({ current }: { current: string }) {
  const sought = useSignal('');
  const terms = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const view = contract.value;
  if (!view) return null;
  const areas = view.areas
    .map((area) => ({
      area,
      operations: view.operations.filter(
        (o) =>
          o.area === area.id && terms.every((t) => `${o.id} ${o.summary} ${o.path} ${area.title} ${area.about}`.toLowerCase().includes(t)),
      ),
    }))
    .filter((a) => a.operations.length > 0);
  return (
    <nav class="picker" aria-label="Operations">
      <input
        type="search"
        aria-label="Search operations"
        placeholder="Search operations"
        value={sought.value}
        onInput={(e) => {
          sought.value = e.currentTarget.value;
        }}
      />
      {areas.map(({ area, operations }) => (
        <section key={area.id}>
          <h2>{area.title}</h2>
          <ul>
            {operations.map((o) => (
              <li key={o.id}>
                <a href={`/console/playground/${o.id}`} aria-current={o.id === current ? 'page' : undefined}>
                  <span>{o.id}</span>
                  <small>{o.summary.replaceAll('`', '')}</small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {areas.length === 0 && <p class="none">No operation matches.</p>}
    </nav>
  );
}
