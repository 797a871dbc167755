import PATHS from './icons.json' with { type: 'json' };

export type IconName = keyof typeof PATHS;
export const isIconName = (name: string): name is IconName => Object.hasOwn(PATHS, name);

/** Its path is on a grid of 20 units, and drawn as lines in the colour of the text. */
export const Icon = ({ name, large = false }: { name: IconName; large?: boolean }) => (
  <svg class={large ? 'icon-svg large' : 'icon-svg'} viewBox="0 0 20 20" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

/** The mark: an eye whose pupil stands on the line of sight. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg class="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d="M4 14a8 8 0 0 1 16 0M2 15.5h5M17 15.5h5" />
    <circle cx="12" cy="14.5" r="3.5" />
  </svg>
);
export const Brand = ({ size }: { size?: number }) => (
  <span class="brand">
    <Mark size={size} />
    Sightline
  </span>
);
