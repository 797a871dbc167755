import { Act } from '../parts/act.tsx';
import type { Job } from './job.ts';
import { removeFile } from './open-file.ts';

export const RemoveFile = ({ job, done }: { job: Pick<Job, 'id' | 'name'>; done: () => void }) => (
  <Act
    name="Remove"
    of={job.name}
    style="quiet"
    says="The file and its answers are removed from this browser. What was charged stays charged."
    run={() => removeFile(job.id)}
    done={done}
  />
);
