import { discord } from './discord.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { text } from './text.ts';

/** How a message is written for each kind of target over HTTP. */
export const FORMS = { slack, discord, teams, ntfy, text } as const;
export type HttpForm = keyof typeof FORMS;
