// Denies what pages ask a browser for: permissions, devices, downloads, addresses outside. Imported by start-desktop.ts and tests.
import type { ElectronParts } from './electron-parts.ts';
import { isOurs } from './origin.ts';

/** What our own page may ask for: tell about a campaign's end, and copy text. */
const granted: ReadonlySet<string> = new Set(['notifications', 'clipboard-sanitized-write']);

export function guardSession({ session }: Pick<ElectronParts, 'session'>): void {
  const ours = session.defaultSession;
  ours.setPermissionRequestHandler((_contents, permission, answer, details) => answer(isGranted(permission, details.requestingUrl)));
  ours.setPermissionCheckHandler((_contents, permission, requestingOrigin) => isGranted(permission, requestingOrigin));
  ours.setDevicePermissionHandler(() => false);
  ours.setDisplayMediaRequestHandler(null);
  ours.webRequest.onBeforeRequest((details, answer) => answer({ cancel: !mayLoad(details) }));
  ours.on('will-download', (event) => event.preventDefault());
}

function isGranted(permission: string, address: string): boolean {
  return granted.has(permission) && isOurs(address);
}

/** Our files; pictures that are part of the page; the developer tools' own files, which no page can name. */
function mayLoad({ url, resourceType }: { readonly url: string; readonly resourceType: string }): boolean {
  if (isOurs(url)) return true;
  if (url.startsWith('data:')) return resourceType === 'image';
  return url.startsWith('devtools://');
}
