import { ADMIN_ACTIONS } from '../src/contract/admin/actions.ts';
import { type AdminAction, requestsOf } from '../src/contract/admin/define.ts';

const BEGIN = '<!-- npm run generate writes this table from src/contract/admin -->\n';
const END = '<!-- end of the table -->\n';

/** The table of the admin API: each action's requests with their fields, and what it does. */
function actionsTable(): string {
  const rows = Object.values<AdminAction>(ADMIN_ACTIONS).map((action) => {
    const requests = requestsOf(action);
    const names = [...new Set(requests.flatMap(({ fields }) => Object.keys(fields.properties)))];
    const fields = names.map((name) => `\`${name}\`${action.input.required.includes(name) ? '' : '?'}`).join(', ');
    return `| ${requests.map(({ method, path }) => `\`${method} ${path}\``).join(' · ')} | ${fields} | ${action.summary} |`;
  });
  return `| Request | Fields | What it does |\n|---|---|---|\n${rows.join('\n')}\n`;
}

/** A page with the table between its two marks. */
export function withActionsTable(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error('the page has no marks of the table of actions');
  return `${before}${BEGIN}\n${actionsTable()}\n${END}${after}`;
}
