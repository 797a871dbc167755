import { Command } from 'commander';
import { nearest } from '../contract/parameters/misspelt.ts';

const HELP = ['-h', '--help'];

/** A command that says of an option it has not which one is near, or which it has, before it says what else is missing. */
export class NamedCommand extends Command {
  override createCommand(name?: string): Command {
    return new NamedCommand(name);
  }

  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    const parsed = super.parseOptions(argv);
    const [unknown] = parsed.unknown;
    if (unknown?.startsWith('-') && this.commands.length === 0 && !parsed.unknown.some((each) => HELP.includes(each)))
      this.#refuse(unknown);
    return parsed;
  }

  #refuse(given: string): never {
    const [flag = ''] = given.split('=');
    const names = this.createHelp()
      .visibleOptions(this)
      .flatMap(({ long }) => long?.replace(/^--/, '') ?? []);
    const meant = nearest(flag.replace(/^-+/, ''), names);
    // as commander says it of a command
    const hint = meant === undefined ? `It takes ${names.map((name) => `--${name}`).join(', ')}.` : `Did you mean --${meant}?`;
    return this.error(`error: unknown option '${flag.slice(0, 100)}'\n(${hint})`, { code: 'commander.unknownOption' });
  }
}
