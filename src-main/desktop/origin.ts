// Our one origin, app://ui, and the only test for it. Imported by this folder and tests.
// The parser of Node calls the origin of every app: address "null", so the parts are compared one by one.

export const scheme = 'app';
export const host = 'ui';
/** As Chromium writes it: `senderFrame.origin`. */
export const origin = `${scheme}://${host}`;

/** True for an address that our own page may have; `app://ui.evil`, `app://x@ui` and `app://ui:80` are not ours. */
export function isOurs(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === `${scheme}:` && url.host === host && url.username === '' && url.password === '';
}

/** The page, told which repository to open. A fragment never reaches a server, a log or the file map. */
export function pageAddress(repository: string | null): string {
  const fragment = repository === null ? '' : `#${new URLSearchParams({ open: repository }).toString()}`;
  return `${origin}/${fragment}`;
}
