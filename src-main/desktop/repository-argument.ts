// Which repository a start asks for: the first plain argument. Imported by start-desktop.ts and tests.
import { resolve } from 'node:path';

/** `electron <entry> DIR` in a checkout, `rlxp-workbench DIR` packaged; null when there is none. Switches are Chromium's. */
export function repositoryArgument(argv: readonly string[], { isPackaged, cwd }: { readonly isPackaged: boolean; readonly cwd: string }): string | null {
  const given = argv.slice(isPackaged ? 1 : 2).find((argument) => argument !== '' && !argument.startsWith('-'));
  return given === undefined ? null : resolve(cwd, given);
}
