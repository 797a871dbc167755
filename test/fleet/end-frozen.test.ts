// Own process: it waits for processes that it starts.
import { realTime } from '../support/real-time.ts';
import { testEnds } from './ends.ts';

testEnds(['frozen'], realTime);
