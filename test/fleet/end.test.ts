// Own process: it waits for processes that it starts.
// In the gate alone: it kills, freezes or overloads processes at length.
import { realTime } from '../support/real-time.ts';
import { testEnds } from './ends.ts';

testEnds(['there', 'killed'], realTime);
