// Serves the built page as app://ui, out of a closed map of files: no address becomes a path. Imported by start-desktop.ts and tests.
import type { BuiltFiles } from './built-files.ts';
import { securityHeaders } from './content-policy.ts';
import type { ElectronParts } from './electron-parts.ts';
import { isOurs, scheme } from './origin.ts';

/** Must run before Electron is ready. */
export function declareScheme({ protocol }: Pick<ElectronParts, 'protocol'>): void {
  protocol.registerSchemesAsPrivileged([{ scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }]);
}

export function serveApp({ session }: Pick<ElectronParts, 'session'>, files: BuiltFiles): void {
  session.defaultSession.protocol.handle(scheme, (request) => respond(request, files));
}

/** Only the exact, undecoded path counts, so that no spelling of `..` means anything. */
export function respond(request: { readonly method: string; readonly url: string }, files: BuiltFiles): Response {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const file = isOurs(request.url) ? files.get(new URL(request.url).pathname) : undefined;
  if (file === undefined) return refuse(404);
  const headers = { ...securityHeaders, 'Content-Type': file.type, 'Cache-Control': 'no-cache' };
  return new Response(request.method === 'HEAD' ? null : file.read(), { status: 200, headers });
}

function refuse(status: number): Response {
  return new Response(null, { status, headers: securityHeaders });
}
