import type { ComponentProps } from 'preact';
import { setQuery } from '../app/place.ts';
import { Button } from '../parts/controls.tsx';
import { run } from './answer.ts';

/** Runs the form again, with parameters of the address changed. */
export const Cure = ({ query = {}, ...button }: { query?: Readonly<Record<string, string | null>> } & ComponentProps<typeof Button>) => (
  <Button
    {...button}
    onClick={() => {
      setQuery(query);
      void run(null);
    }}
  />
);
