/** Paths on a grid of 20 units, drawn as lines in the colour of the text. */
const PATHS = {
  home: 'M3 9.5 10 4l7 5.5M5 8v8h3.5v-4h3v4H15V8',
  terminal: 'M3 4.5h14v11H3zM6 8l2 2-2 2M10 12h4',
  eye: 'M2.5 10c2-3.3 4.5-5 7.5-5s5.5 1.7 7.5 5c-2 3.3-4.5 5-7.5 5s-5.5-1.7-7.5-5zM10 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
  bell: 'M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8.5 15.5a1.5 1.5 0 0 0 3 0',
  list: 'M3 5.5h14M3 10h14M3 14.5h14',
  bars: 'M4 16V9M8 16V4M12 16v-5M16 16V7',
  ledger: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2',
  key: 'M7.5 4a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 10l6 6M13.5 13.5 15 12',
  people: 'M7.5 4a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM2.5 16c0-3 2-5 5-5s5 2 5 5M13 4.5a2.5 2.5 0 0 1 0 4.5M14.5 11.3c2 .6 3 2.4 3 4.7',
  plug: 'M7 3v4M13 3v4M5 7h10v3a5 5 0 0 1-10 0zM10 15v3',
  box: 'M10 3 3.5 6.5v7L10 17l6.5-3.5v-7zM3.5 6.5 10 10l6.5-3.5M10 10v7',
  wave: 'M2.5 12 6 8l3 4 4-6 4.5 5',
  grid: 'M4 4h5v5H4zM11 4h5v5h-5zM4 11h5v5H4zM11 11h5v5h-5z',
  shield: 'M10 3l6 2v5c0 4-2.5 6-6 7-3.5-1-6-3-6-7V5zM7.5 10l2 2 3.5-4',
  server: 'M3.5 4h13v5h-13zM3.5 11h13v5h-13zM6 6.5h2M6 13.5h2',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM12.7 12.7 17 17',
  play: 'M6 4l10 6-10 6z',
  video: 'M3.5 4.5h13v11h-13zM8.5 7.5v5l4-2.5z',
  comment: 'M4 4h12v9H9l-4 3.5V13H4z',
  comments: 'M3 4h10v7H7l-3 2.5V11H3zM15 8h2v7h-1v2.5L13 15H8.5v-2',
  posts: 'M3.5 4h13v4.5h-13zM3.5 11h13v5h-13z',
  find: 'M3 5h14M3 9h5M3 13h5M12 9a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM14 13.5l3 3',
  star: 'M10 3l2.1 4.4 4.9.6-3.6 3.3 1 4.8L10 13.7l-4.4 2.4 1-4.8L3 8l4.9-.6z',
  ranking: 'M3 5h14M3 10h9M3 15h5',
  person: 'M10 4a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM4 17c0-3.3 2.5-5 6-5s6 1.7 6 5',
  tag: 'M3.5 3.5H10l6.5 6.5-6.5 6.5L3.5 10zM7 7h.01',
  pulse: 'M2 10h4l2-6 4 12 2-6h4',
  globe: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM3 10h14M10 3c-4 4-4 10 0 14M10 3c4 4 4 10 0 14',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  link: 'M8.5 11.5a3 3 0 0 0 4.2 0l3-3a3 3 0 0 0-4.2-4.2l-1 1M11.5 8.5a3 3 0 0 0-4.2 0l-3 3a3 3 0 0 0 4.2 4.2l1-1',
  download: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12',
  down: 'M5 7.5l5 5 5-5',
  right: 'M7.5 5l5 5-5 5',
  left: 'M12.5 5l-5 5 5 5',
  close: 'M5 5l10 10M15 5L5 15',
  check: 'M4 10.5l4 4 8-9',
  warning: 'M10 3.5 2.5 16.5h15zM10 8.5v4M10 14.5v.01',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 6v4l2.5 2',
  bolt: 'M11 2.5 4.5 11.5H10l-1 6 6.5-9H10z',
  refresh: 'M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13',
  plus: 'M10 4v12M4 10h12',
  lock: 'M5 9h10v8H5zM7 9V6.5a3 3 0 0 1 6 0V9',
  more: 'M4.5 9.5v1M10 9.5v1M15.5 9.5v1',
  stop: 'M5.5 5.5h9v9h-9z',
  coin: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 7.5c-.5-.7-1.2-1-2-1-1.2 0-2 .7-2 1.7 0 2.3 4 1.3 4 3.6 0 1-.8 1.7-2 1.7-.9 0-1.6-.4-2-1M10 5v10',
  info: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM10 9v5M10 6.5v.01',
  pause: 'M7 5v10M13 5v10',
  up: 'M10 16V4M5.5 8.5 10 4l4.5 4.5',
  fall: 'M10 4v12M5.5 11.5 10 16l4.5-4.5',
  minus: 'M4 10h12',
  sliders: 'M3 6h7M14 6h3M12 4v4M3 14h3M10 14h7M8 12v4',
  book: 'M10 5.5C8 4 5.5 4 3 4v11c2.5 0 5 0 7 1.5C12 15 14.5 15 17 15V4c-2.5 0-5 0-7 1.5zM10 5.5v11',
  moon: 'M16 11.5A6.5 6.5 0 1 1 8.5 4a5 5 0 0 0 7.5 7.5z',
  leave: 'M8 4H4v12h4M8 10h9M13.5 6.5 17 10l-3.5 3.5',
} as const;
export type IconName = keyof typeof PATHS;

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
