import { answerTable } from '../answers/tables.ts';
import { csvOf } from '../parts/csv.ts';
import { download } from '../parts/files.ts';
import { type Answer, codeOf } from './answer.ts';

/** The answer as files: JSON as it came, CSV where it is a table. */
export function Downloads({ answer }: { answer: Answer }) {
  const { operation, text, body } = answer;
  const table = codeOf(answer) === null && body !== null ? answerTable(operation.resourceName, body) : null;
  return (
    <div class="downloads">
      <button type="button" class="quiet" disabled={text === ''} onClick={() => download(`${operation.id}.json`, 'application/json', text)}>
        Download JSON
      </button>
      {table && (
        <button type="button" class="quiet" onClick={() => download(`${operation.id}.csv`, 'text/csv', csvOf(table))}>
          Download CSV
        </button>
      )}
    </div>
  );
}
