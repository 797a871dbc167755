import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './controls.tsx';

/** The address if it leads to the web: nothing else of an upstream becomes a link or a picture. */
export function webAddress(text: string | null): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** A link to a page of an upstream; plain text where the address is none of the web. */
export function OutLink({ href, children }: { href: string | null; children?: ComponentChildren }) {
  const shown = children ?? href;
  if (!webAddress(href)) return <>{shown}</>;
  return (
    <a href={href ?? ''} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}

/** A picture of an upstream: nothing is requested before the click. */
export function Picture({ src, what }: { src: string | null; what: string }) {
  const [state, setState] = useState<'unasked' | 'asked' | 'failed'>('unasked');
  const url = webAddress(src);
  if (!url || state === 'failed') {
    const why = src === null ? 'not stated' : url ? 'could not be loaded' : 'no address of the web';
    return (
      <span class="picture empty">
        {what}: {why}
      </span>
    );
  }
  if (state === 'asked')
    return <img class="picture" src={url.href} alt={what} referrerpolicy="no-referrer" loading="lazy" onError={() => setState('failed')} />;
  return (
    <Button
      text={`Load ${what.toLowerCase()}`}
      class="picture ask"
      title={`Load the picture from ${url.host}`}
      onClick={() => setState('asked')}
    />
  );
}
