import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

/** A secret that is shown once: it is in no other answer and not stored by the browser. */
export function SecretDialog({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>Copy it now: it is shown once and cannot be shown again.</p>
      <p>
        <code class="secret" data-secret>
          {secret}
        </code>
      </p>
      <div class="actions">
        <CopyButton text={() => secret} />
        <button type="button" onClick={onClose}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
