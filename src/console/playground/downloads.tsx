import { csvOf } from '../../contract/csv.ts';
import { answerTable } from '../../contract/tables.ts';
import { download } from '../parts/files.ts';
import { type Answer, codeOf } from './answer.ts';

const TABLES = { entries: 'Download CSV', paid: 'Download ads as CSV' } as const;

/** The answer as files: JSON as it came, CSV where it has lists. */
export function Downloads({ answer }: { answer: Answer }) {
  const { operation, text, body } = answer;
  const isData = codeOf(answer) === null && body !== null;
  return (
    <div class="downloads">
      <button type="button" class="quiet" disabled={text === ''} onClick={() => download(`${operation.id}.json`, 'application/json', text)}>
        Download JSON
      </button>
      {(['entries', 'paid'] as const).map((rows) => {
        const form = operation.tables[rows];
        const file = rows === 'paid' ? `${operation.id}-ads.csv` : `${operation.id}.csv`;
        return (
          isData &&
          form && (
            <button type="button" class="quiet" onClick={() => download(file, 'text/csv', csvOf(answerTable(form, body)))}>
              {TABLES[rows]}
            </button>
          )
        );
      })}
    </div>
  );
}
