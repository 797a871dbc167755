import type { Admin } from '../../accounts/admin/types.ts';
import type { Sessions } from '../../accounts/sessions/sessions.ts';
import type { SignInCodes } from '../../accounts/sessions/sign-in-codes.ts';
import type { RouteDependencies } from '../routes/dependencies.ts';
import type { Entrance } from './entrance.ts';

export type KeyAdmin = Pick<Admin, 'listKeys' | 'createKey' | 'editKey' | 'rerollKey' | 'revokeKey'>;

/** What a gateway needs for the console. */
export interface ConsoleParts {
  readonly sessions: Sessions;
  readonly signInCodes: SignInCodes;
  /** The admin actions for the holder of an account: actor in the audit log, and who makes keys. */
  readonly adminAs: (actor: string, madeBy: string | null) => KeyAdmin & Pick<Admin, 'showAccount'>;
  /** Folder of the built app. Default: `builtConsoleFolder()`. */
  readonly folder?: string;
}

/** Parts that the routes of the console use. */
export interface ConsoleDependencies extends Pick<RouteDependencies, 'admission' | 'responder' | 'accounts' | 'settings' | 'version'> {
  readonly entrance: Entrance;
  readonly console: ConsoleParts;
}
