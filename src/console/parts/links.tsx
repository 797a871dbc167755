import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

/** The address if it leads to the web: nothing else of an upstream becomes a link or a picture. */
export function webAddress(text: string | null): URL | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : null;
}

/** A link to a page of an upstream; plain text where the address is none of the web. */
export function OutLink({ href, children, label }: { href: string | null; children?: ComponentChildren; label?: string }) {
  const shown = children ?? href;
  if (!webAddress(href)) return <>{shown}</>;
  return (
    <a href={href ?? ''} target="_blank" rel="noopener noreferrer nofollow" {...(label && { 'aria-label': label })}>
      {shown}
    </a>
  );
}

/** A picture of an upstream: nothing is requested before the click. */
export function Picture({ src, what }: { src: string | null; what: string }) {
  const asked = useSignal(false);
  const failed = useSignal(false);
  const url = webAddress(src);
  if (src === null) return <span class="picture empty">{what}: not stated</span>;
  if (!url) return <span class="picture empty">{what}: no address of the web</span>;
  if (failed.value) return <span class="picture empty">{what}: could not be loaded</span>;
  if (asked.value)
    return (
      <img
        class="picture"
        src={url.href}
        alt={what}
        referrerpolicy="no-referrer"
        loading="lazy"
        onError={() => {
          failed.value = true;
        }}
      />
    );
  return (
    <button
      type="button"
      class="picture ask"
      title={`Load the picture from ${url.host}`}
      onClick={() => {
        asked.value = true;
      }}
    >
      Load {what.toLowerCase()}
    </button>
  );
}
