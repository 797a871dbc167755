import { render } from 'preact';
import { App } from './app/app.tsx';
import { startNavigation } from './app/place.ts';
import { resume } from './app/session.ts';

startNavigation();
const root = document.getElementById('app');
if (root) render(<App />, root);
void resume();
// a link that signs in once, pasted into a tab that is open
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#code=')) void resume();
});
// after the first paint: the page is readable without the font
requestAnimationFrame(() => setTimeout(() => void import('./styles/font.css')));
