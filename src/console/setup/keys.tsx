import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { OperationWays, SetupResult } from '../../contract/contract-view.ts';
import { operationName } from '../app/operations.ts';
import { go } from '../app/place.ts';
import { credits, readCredits } from '../app/session.ts';
import { freeWays, readWays } from '../app/ways.ts';
import { Button, Check, CopyButton } from '../parts/controls.tsx';
import { Card, StatusPill } from '../parts/display.tsx';
import { number, plural } from '../parts/format.ts';
import { Problem, useLoaded } from '../parts/page.tsx';
import { useShownOnce } from '../parts/secret.tsx';
import { isHere } from './claim.tsx';

/** A lookup whose answer holds for years. */
const EXAMPLE = '/v1/website/whois/domains/wikipedia.org';

/** What `ssh -L` forwards so that the address means the same here as there. */
function tunnelOf(url: string): string {
  const { port, host } = new URL(url);
  return `${port}:${host}`;
}

const Secret = ({ text, copied }: { text: string; copied: (text: string) => void }) => (
  <div class="secret-line">
    <code class="secret" data-secret>
      {text}
    </code>
    <CopyButton text={() => text} done={() => copied(text)} />
  </div>
);

/** To the page of the source that gives something free, in the operator's console. */
function addKey(operatorUrl: string, way: OperationWays) {
  const [free] = freeWays(way);
  return (
    free && (
      <a href={`${operatorUrl}/sources/${encodeURIComponent(free.name)}`} target="_blank" rel="noopener noreferrer">
        Add a key of {free.provider}
      </a>
    )
  );
}

export function Keys({ of: { apiKey, operatorKey, operatorUrl } }: { of: SetupResult }) {
  const stored = useSignal(false);
  const answer = useSignal<{ status: number; ms: number; charged: string | null } | null>(null);
  const failed = useSignal<string | null>(null);
  const { value: ways } = useLoaded(readWays, []);
  const { copied, prompt } = useShownOnce([apiKey, operatorKey], stored.value);
  const example = location.origin + EXAMPLE;
  // else the link would lead to the machine of who reads it
  const isReached = isHere(location.hostname) || !isHere(new URL(operatorUrl).hostname);
  const curl = `curl -H "X-API-Key: ${apiKey}" \\\n  ${example}`;
  useEffect(() => {
    void readCredits();
    document.getElementById('main')?.focus();
  }, []);
  const run = async (): Promise<void> => {
    failed.value = null;
    const begun = performance.now();
    try {
      const response = await fetch(EXAMPLE, { headers: { 'X-API-Key': apiKey }, cache: 'no-store' });
      answer.value = {
        ...{ status: response.status, ms: Math.round(performance.now() - begun) },
        charged: response.headers.get('X-Credits-Charged'),
      };
      await readCredits();
    } catch {
      failed.value = 'The service did not answer. Is it still running?';
    }
  };
  const ready = ways?.filter((each) => each.ready) ?? [];
  const lacking = ways?.filter((each) => !each.ready) ?? [];
  return (
    <>
      <section>
        <h1>Store two keys now</h1>
        <p class="about">Each is shown once. Sightline keeps a hash of it and cannot show it again.</p>
        <Card title="API key" aside="for programs and the console">
          <Secret text={apiKey} copied={copied} />
          <h3>Try it: who holds this domain?</h3>
          <div class="secret-line">
            <pre>{curl}</pre>
            <CopyButton text={() => curl} done={() => copied(curl)} />
          </div>
          <div class="actions">
            <Button icon="play" text="Run it here" onClick={() => void run()} />
            {answer.value && (
              <span role="status">
                <StatusPill status={answer.value.status} /> answered in {answer.value.ms} ms
                {answer.value.charged !== null && `, ${plural(Number(answer.value.charged), 'credit')} charged`}
                {credits.value !== null && `, ${number(credits.value)} left`}
              </span>
            )}
          </div>
          <Problem words={failed.value} />
        </Card>
        <Card title="Operator’s key" aside={`opens ${operatorUrl}${isReached ? '' : ' on the machine of the service'}`}>
          <Secret text={operatorKey} copied={copied} />
          {!isReached && (
            <p class="about">
              To open it here, forward its port: <code>{`ssh -L ${tunnelOf(operatorUrl)} ${location.hostname}`}</code>
            </p>
          )}
        </Card>
        <div class="actions">
          <Check text="I have stored both" isOn={stored.value} set={(isOn) => (stored.value = isOn)} />
          <Button icon="right" class="primary" text="Go on" disabled={!stored.value} onClick={() => go('/console')} />
        </div>
        {prompt}
        <p class="about">
          Lost one? <code>sightline keys create</code> and <code>sightline operator reroll-key</code> make new ones.
        </p>
      </section>
      <aside class="stack">
        {ways && (
          <>
            <Card
              title="Works now"
              aside={`${ready.length} of ${plural(ways.length, 'operation')}`}
              rows={ready.map(({ id }) => ({ id, icon: 'check', first: operationName(id) }))}
            />
            <Card
              title="Needs something of yours"
              rows={lacking.map((way) => ({
                id: way.id,
                first: operationName(way.id),
                second: way.cure,
                aside: isReached && addKey(operatorUrl, way),
              }))}
              none="Nothing: all operations answer."
            >
              <p class="inner">Later as well: operator’s console, Sources.</p>
            </Card>
          </>
        )}
      </aside>
    </>
  );
}
