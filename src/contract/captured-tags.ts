/** Outcomes of the attempts that are captured. */
export const CAPTURED_TAGS = ['found', 'absent', 'blocked', 'limited', 'unreachable', 'timeout', 'changed', 'refused', 'defect'] as const;
