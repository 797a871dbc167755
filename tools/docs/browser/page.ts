/** The script of the docs' pages adds Copy, Find, and one language for all examples of a visit. Without it the pages lack only these. */
import { element, iconOf } from './dom.ts';
import { startFind } from './palette.ts';

const LANGUAGE = 'sightline.docs.language';

function keep(language: string): void {
  try {
    sessionStorage.setItem(LANGUAGE, language);
  } catch {
    // a private window keeps nothing: the choice is this page's
  }
}
function chosenBefore(): string | null {
  try {
    return sessionStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

const choices = () => [...document.querySelectorAll<HTMLInputElement>('.choices input')];
function choose(language: string): void {
  for (const input of choices()) if (input.value === language) input.checked = true;
}

function startLanguages(): void {
  const before = chosenBefore();
  if (before) choose(before);
  for (const input of choices())
    input.addEventListener('change', () => {
      keep(input.value);
      choose(input.value);
    });
}

/** Examples name the service that serves the page. */
function nameService(): void {
  if (!/^https?:$/.test(location.protocol) || !location.pathname.startsWith('/docs/')) return;
  for (const code of document.querySelectorAll('[data-sample] code, aside .code[data-language="sh"] code'))
    if (code.textContent) code.textContent = code.textContent.replaceAll('http://127.0.0.1:8080', location.origin);
}

const SAID_MS = 2_000;

function startCopy(): void {
  for (const block of document.querySelectorAll('.code:not(.output)')) {
    const button = element('button', { type: 'button', class: 'copy' }, iconOf('copy'), element('span', {}, 'Copy'));
    const words = button.lastElementChild;
    button.addEventListener('click', async () => {
      const done = await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '').then(
        () => 'Copied',
        () => 'Not allowed',
      );
      if (!words) return;
      words.textContent = done;
      setTimeout(() => (words.textContent = 'Copy'), SAID_MS);
    });
    block.prepend(button);
  }
}

/** Marks the heading that is read in the list beside the page. */
function startHeadings(): void {
  const links = new Map([...document.querySelectorAll<HTMLAnchorElement>('.headings a')].map((link) => [link.hash.slice(1), link]));
  if (links.size === 0) return;
  const seen = new IntersectionObserver(
    (entries) => {
      const first = entries.find(({ isIntersecting }) => isIntersecting);
      if (!first) return;
      for (const [id, link] of links)
        if (id === first.target.id) link.setAttribute('aria-current', 'location');
        else link.removeAttribute('aria-current');
    },
    { rootMargin: '-52px 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(decodeURIComponent(id));
    if (heading) seen.observe(heading);
  }
}

startLanguages();
nameService();
startCopy();
startHeadings();
startFind();
