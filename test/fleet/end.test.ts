// Own process: it waits for processes that it starts.
import { testEnds } from './ends.ts';

testEnds(['there', 'killed']);
