import { render } from 'preact';
import { App } from './app/app.tsx';
import { resume } from './app/session.ts';

const root = document.getElementById('app');
if (root) render(<App />, root);
void resume();
