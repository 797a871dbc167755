/** Classes of faults. A run that fails is tried again without each of them, to find those that it needs. */
export const FAULTS = ['kill', 'freeze', 'clock', 'bad-disk', 'slow-disk', 'sources'] as const;
export type Fault = (typeof FAULTS)[number];

export const PLANTS = ['capture-twice', 'reply-before-hold', 'slot-twice'] as const;
export type Plant = (typeof PLANTS)[number];
