import type { Command } from 'commander';
import type { NotifyTargetInput } from '../client/watches.ts';
import { EVERY } from '../contract/account/constants.ts';
import type { NewTarget } from '../contract/account/notify-schemas.ts';
import type { Watch, WatchEdit } from '../contract/account/watch-schemas.ts';
import { fieldOf } from '../contract/watched-field.ts';
import { choice, fail, list, signedInteger, wholeNumber } from './option-values.ts';

/** The options that say how a watch works. */
export interface SettingOptions {
  readonly every?: string;
  readonly budget?: number;
  readonly field?: readonly string[];
  readonly webhook?: string;
  readonly notify?: readonly string[];
  readonly daily?: true;
  readonly due?: readonly number[];
  readonly tag?: readonly string[];
}

/** In place of a value: none, and of fields those of the operation. */
const NONE = 'none';
export const nameGiven = (name: string | undefined): Pick<WatchEdit, 'name'> =>
  name === undefined ? {} : { name: name === NONE ? null : name };
/** In place of targets: those of the account. */
const OF_ACCOUNT = 'account';
const isOnly = (given: readonly string[], word: string): boolean => given.length === 1 && given[0] === word;

/** `text=https://…`, or an address alone. */
export function parseTarget(text: string, daily?: true): NotifyTargetInput {
  const [, form, to = text] = /^([a-z]+)=(\w+:.*)$/.exec(text) ?? [];
  return { to, ...(form && { as: form as NewTarget['as'] }), ...(daily && { digest: '1d' }) };
}
const targetsOf = (given: readonly string[], daily?: true): NotifyTargetInput[] | null =>
  isOnly(given, OF_ACCOUNT) ? null : isOnly(given, NONE) ? [] : given.map((one) => parseTarget(one, daily));

/** Throws a UsageError where nobody would get one message a day. */
export function demandDaily(daily: true | undefined, targets: readonly unknown[] | null | undefined): void {
  if (daily && !targets?.length) fail('--daily says how targets are told: name them beside it.');
}

/** What the options set; the service reads it. */
export function settingsOf({ every, budget, field, webhook, notify: given, daily, due, tag }: SettingOptions): WatchEdit {
  const notify = given && targetsOf(given, daily);
  demandDaily(daily, notify);
  return {
    ...(every !== undefined && { every: every as Watch['every'] }),
    ...(budget !== undefined && { creditsPerMonth: budget }),
    ...(field && { fields: isOnly(field, NONE) ? null : field.map(fieldOf) }),
    ...(webhook !== undefined && { webhook: webhook === NONE ? null : { url: webhook } }),
    ...(notify !== undefined && { notify: notify as WatchEdit['notify'] }),
    ...(due && { due: [...due] }),
    ...(tag && { tags: isOnly(tag, NONE) ? [] : [...tag] }),
  };
}

const daysOf = (text: string): number[] => (text === NONE ? [] : list(text).map(signedInteger));

const everyOption = () => choice('--every <time>', 'time between two checks', EVERY);
/** Adds the options. `budget`: what is said of it. `isNew`: a watch is made, which needs a time between two checks. */
export const withSettings = (command: Command, budget: string, isNew = false): Command =>
  command
    .addOption(everyOption().makeOptionMandatory(isNew))
    .option('--budget <credits>', budget, wholeNumber(0, 1_000_000_000))
    .option(
      '--field <path...>',
      'fields that count; path:2 counts from a difference of 2 on, path:10% from that share on, path>10 when it passes 10. Default, and `none`: those of the operation',
    )
    .option('--webhook <url>', `https URL that receives a message for each change; ${NONE}: no more`)
    .option(
      '--notify <target...>',
      `whom it tells in place of the account's targets, FORM=ADDRESS where the host does not say the form; ${NONE}: nobody, ${OF_ACCOUNT}: those of the account again`,
    )
    .option('--daily', 'one message a day to these targets')
    .option('--due <days>', `days before a date on which to tell, such as 30,14,7,1; ${NONE}: never`, daysOf)
    .option('--tag <tag...>', `tags by which lists and rankings are filtered; ${NONE}: no more`);
