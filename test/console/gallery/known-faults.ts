/**
 * Faults of geometry that the console has, by section without its set of data, with the widths at which they are found. A line is removed
 * with the repair of its fault; none is added for a new one.
 */
export const KNOWN_FAULTS: Readonly<Record<string, readonly number[]>> = {};
