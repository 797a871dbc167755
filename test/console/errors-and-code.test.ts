// Own process: it drives a browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { contractView } from '../../src/gateway/console/contract-view.ts';
import { missing } from '../browser/chromium.ts';
import { complaintsOf, fillForm, openConsole, runForm } from './open-console.ts';

const run = promisify(execFile);
const { operations } = contractView();

test('each documented error is drawn: what happened, that nothing was charged, what to do', { skip: missing }, async (t) => {
  const { signedIn } = await openConsole(t);
  const page = await signedIn();
  await fillForm(page, { id: 'registration' });
  for (const name of Object.keys(ERRORS) as ErrorName[]) {
    const { status, retryable } = ERRORS[name];
    const message = `Words of ${name} about this request.`;
    await page.route('**/v1/website/**', (route) =>
      route.fulfill({
        status,
        contentType: 'application/json',
        headers: { 'x-credits-charged': '0', 'x-request-id': `id-${name}`, ...(retryable && { 'retry-after': '7' }) },
        body: JSON.stringify({ error: { code: codeOf(name), message } }),
      }),
    );
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const drawn = page.getByRole('alert').filter({ hasText: message });
    await drawn.waitFor();
    const text = await drawn.innerText();
    for (const part of [String(status), codeOf(name), 'Nothing was charged.', 'What to do', `id-${name}`])
      assert.ok(text.includes(part), `${name}: ${part} in ${text}`);
    assert.ok((await drawn.locator('dt', { hasText: 'What to do' }).locator('+ dd').innerText()).length > 20, text);
    assert.equal(await drawn.getByRole('button', { name: 'Run again' }).count(), retryable ? 1 : 0, name);
    if (retryable) assert.match(text, /7 seconds/);
    await page.unroute('**/v1/website/**');
  }
  await t.test('a service that does not answer', async () => {
    await page.route('**/v1/website/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'The service did not answer' }).waitFor();
    await page.unroute('**/v1/website/**');
  });
  await t.test("a wrong value is refused in the service's own words before it is sent, beside its field", async () => {
    await page.getByLabel('domain').fill('no domain');
    const words = page.locator('#field-domain-wrong');
    await words.waitFor();
    assert.match(await words.innerText(), /^Parameter domain is "no domain", but it must /);
    assert.equal(await page.getByLabel('domain').getAttribute('aria-invalid'), 'true');
    await page.getByLabel('domain').fill('acme-widgets.com');
    await words.waitFor({ state: 'detached' });
  });
  assert.deepEqual(
    complaintsOf(page).filter((said) => !/ERR_FAILED/.test(said)),
    [],
  );
});

test('the code of each request prints the bytes of its answer: curl, TypeScript, Python', { skip: missing }, async (t) => {
  const { service, signedIn } = await openConsole(t);
  const folder = mkdtempSync(join(tmpdir(), 'sightline-code-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  // the client as a package of the user's project: the checkout, whose exports lead to built files, by its source
  const client = join(folder, 'node_modules/sightline');
  mkdirSync(client, { recursive: true });
  writeFileSync(join(client, 'package.json'), '{"type":"module","exports":{"./client":"./client.ts"}}');
  symlinkSync(resolve('src/client/index.ts'), join(client, 'client.ts'));
  const environment = { ...process.env, SIGHTLINE_API_KEY: service.key, PYTHONDONTWRITEBYTECODE: '1' };
  const execute = async (language: string, code: string): Promise<string> => {
    const [program, args] =
      language === 'curl'
        ? ['bash', ['-c', code]]
        : language === 'Python'
          ? ['python3', ['-c', code]]
          : [process.execPath, ['--input-type=module-typescript', '-e', code]];
    return (await run(program as string, args as string[], { cwd: folder, env: environment, maxBuffer: 10_000_000 })).stdout;
  };
  const page = await signedIn();
  // the last one: characters that shells, TypeScript and Python quote in different ways
  const cases = [
    ...operations.map((operation) => ({ operation, keyword: null })),
    { operation: { id: 'serp' }, keyword: `it's "5%" $HOME \\n \`id\` ü` },
  ];
  for (const { operation, keyword } of cases)
    await t.test(keyword ?? operation.id, async () => {
      await fillForm(page, operation);
      if (keyword !== null) await page.getByLabel('keyword').fill(keyword);
      const { text } = await runForm(page);
      await page.getByText('Code', { exact: true }).click();
      assert.ok(!(await page.locator('.code').innerText()).includes(service.key), 'the key is not in the code');
      const code = page.locator('pre[data-language]');
      await code.first().waitFor();
      const snippets = await code.evaluateAll((all) => all.map((one) => [one.getAttribute('data-language') ?? '', one.textContent ?? '']));
      assert.deepEqual(
        snippets.map(([language]) => language),
        ['curl', 'TypeScript', 'Python'],
      );
      const printed = await Promise.all(snippets.map(([language = '', snippet = '']) => execute(language, snippet)));
      for (const [at, output] of printed.entries()) assert.equal(output, text, snippets[at]?.[0]);
    });
  assert.deepEqual(complaintsOf(page), []);
});
