import { DIRECTORY_PATH, type RequestSigner } from '../../upstream/http/request-signer.ts';
import { READ } from '../http/assets.ts';
import type { Route } from '../http/listener.ts';
import type { RouteDependencies } from '../parts.ts';

/** The public keys of signed requests, without credentials. Never compressed: its digest is that of the bytes that are sent. */
export const keyDirectoryRoute = (
  { admission, responder }: Pick<RouteDependencies, 'admission' | 'responder'>,
  signer: Pick<RequestSigner, 'directory'>,
): Route => ({
  methods: READ,
  path: DIRECTORY_PATH,
  operation: 'key-directory',
  async serve(context) {
    await admission.admitAddress(context);
    const { body, headers } = signer.directory();
    responder.write(context, 200, Object.entries(headers).flat(), body);
  },
});
