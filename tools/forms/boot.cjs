// The program inside the one file. It unpacks the app once into the cache folder of the user, and starts it from there: code inside an
// executable can import only what Node itself has.
'use strict';
const { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { dirname, isAbsolute, join } = require('node:path');
const { getAsset, getRawAsset } = require('node:sea');

const HOUR_MS = 3_600_000;
const VARIABLE = 'XDG_CACHE_HOME';

function refuse(why) {
  process.stderr.write(`sightline: ${why}\nSet ${VARIABLE} to a folder that this user may write, with 40 MB free.\n`);
  process.exit(1);
}

/** Not `recursive`, which says ENOENT of a read-only disk. */
function makeFolder(folder) {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}

/** The folder of this user's unpacked versions: nobody else may write it, because what lies there is run. */
function cacheFolder() {
  const { HOME, [VARIABLE]: cache } = process.env;
  const base = cache && isAbsolute(cache) ? cache : HOME && isAbsolute(HOME) ? join(HOME, '.cache') : null;
  if (!base) refuse('there is no HOME into which it could unpack itself.');
  const folder = join(base, 'sightline');
  makeFolder(folder);
  const { uid, mode } = statSync(folder);
  if (process.getuid && uid !== process.getuid()) refuse(`${folder} belongs to another user.`);
  if (mode & 0o022) refuse(`${folder} may be written by other users (chmod 700 ${folder}).`);
  return folder;
}

/** A crash of the machine can leave files without their content. */
const isWhole = (folder, files) =>
  files.every(([path, bytes]) => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return found?.isFile() && found.size === bytes;
  });

function unpack(folder, files) {
  const parent = dirname(folder);
  for (const name of readdirSync(parent))
    if (name.includes('.part-') && Date.now() - statSync(join(parent, name)).mtimeMs > HOUR_MS)
      rmSync(join(parent, name), { recursive: true, force: true });
  const fresh = `${folder}.part-${process.pid}-${process.hrtime.bigint()}`;
  try {
    const bytes = require('node:zlib').zstdDecompressSync(new Uint8Array(getRawAsset('files')));
    const made = new Set();
    let at = 0;
    for (const [path, size] of files) {
      const file = join(fresh, path);
      if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      made.add(dirname(file));
      writeFileSync(file, bytes.subarray(at, at + size), { mode: 0o600 });
      at += size;
    }
    chmodSync(fresh, 0o700);
    try {
      renameSync(fresh, folder);
    } catch (error) {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      // another process was faster, or what lies there is damaged
      if (!isWhole(folder, files)) {
        renameSync(folder, `${fresh}-damaged`);
        renameSync(fresh, folder);
      }
    }
  } finally {
    for (const left of [fresh, `${fresh}-damaged`]) rmSync(left, { recursive: true, force: true });
  }
}

let folder;
try {
  const cache = cacheFolder();
  const files = JSON.parse(getAsset('index', 'utf8'));
  folder = join(cache, getAsset('hash', 'utf8'));
  if (!isWhole(folder, files)) unpack(folder, files);
  enableCompileCache(join(cache, 'compiled'));
} catch (error) {
  if (error.syscall === undefined) throw error;
  refuse(`it could not unpack itself: ${error.message}.`);
}
createRequire(join(folder, 'start.cjs'))('./start.cjs');
