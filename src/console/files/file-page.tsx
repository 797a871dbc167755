import { useEffect } from 'preact/hooks';
import { pageAt } from '../app/place.ts';
import { LinkButton } from '../parts/controls.tsx';
import { Empty } from '../parts/display.tsx';
import { share } from '../parts/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Page, type PageComponent, Show, useLoaded } from '../parts/page.tsx';
import { DoneActions, DoneView } from './done.tsx';
import { KeepNote, StatePill } from './files.tsx';
import { MapView } from './map.tsx';
import { type OpenFile, openStored } from './open-file.ts';
import { start } from './runner.ts';
import { RunningActions, RunningView, shareOf } from './running.tsx';
import { bytesText, linesText } from './words.ts';
import './files.css';

/** What the page of a file shows: how it is read, how far it is, or its result. */
export function FileView({ file }: { file: OpenFile }) {
  const job = file.job.value;
  const reading = file.reading.value;
  const isDraft = job.state === 'draft';
  const isOver = job.state === 'done' || job.state === 'stopped';
  const title = isDraft || isOver ? job.name : `${share(shareOf(file))} · ${job.name}`;
  return (
    <Page
      title={title}
      heading="Look up a file"
      back={[pageAt('/console/files'), 'Files']}
      actions={reading && !isDraft && (isOver ? <DoneActions /> : <RunningActions file={file} />)}
    >
      <div class="file-head">
        <span class="tile">
          <Icon name="file" />
        </span>
        <span class="grow">
          <strong>{job.name}</strong>
          <br />
          <span class="caption">
            {reading && `${linesText(reading.lines)} · `}
            {bytesText(job.bytes)}
          </span>
        </span>
        {isDraft ? <span class="caption">read in this browser; nothing is sent before Run</span> : <StatePill job={job} />}
      </div>
      <KeepNote />
      {reading &&
        (isDraft ? (
          <MapView file={file} reading={reading} />
        ) : isOver ? (
          <DoneView file={file} reading={reading} />
        ) : (
          <RunningView file={file} reading={reading} />
        ))}
    </Page>
  );
}

export const FilePage: PageComponent = ({ params: { fileId = '' } }) => {
  const { loaded } = useLoaded(() => openStored(fileId), [fileId]);
  const file = loaded.value;
  useEffect(() => {
    // closed it waits, opened it goes on
    if (file?.job.peek().state === 'running') void start(file);
  }, [file]);
  if (file) return <FileView file={file} />;
  return (
    <Page title="Look up a file" back={[pageAt('/console/files'), 'Files']}>
      <KeepNote />
      <Show loaded={loaded}>
        {() => (
          <Empty icon="file" title="This browser keeps no such file">
            <p>Files and their answers stay in the browser in which they were given.</p>
            <LinkButton icon="upload" href={pageAt('/console/files')} text="Give a file" />
          </Empty>
        )}
      </Show>
    </Page>
  );
};
