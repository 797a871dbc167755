// Few in a process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import { BACKENDS } from './backends.ts';
import { testKills } from './kills.ts';

for (const backend of BACKENDS) if (backend.name === 'postgres') testKills(backend);
