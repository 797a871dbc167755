import { spawnSync } from 'node:child_process';

/** The text of a generated file as the formatter of the project writes it. */
export function formatted(file: string, text: string): string {
  const { stdout, stderr, status } = spawnSync('node_modules/.bin/biome', ['check', '--write', `--stdin-file-path=${file}`], {
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`biome does not format ${file}: ${stderr}`);
  return stdout;
}
