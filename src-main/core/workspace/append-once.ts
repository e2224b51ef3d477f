// Appending a line again after a failure, without ever writing it twice. Any room of the core may import it.
import type { Files } from '../../ports.ts';

/**
 * Appends `line`, which no other line of the journal equals. When the system reports a failure after the line reached the disk (a close,
 * the folder's sync: rule D34), it counts as written. Rejects when it is not there.
 */
export async function appendOnce(files: Pick<Files, 'appendLine' | 'readJournal'>, path: string, line: string): Promise<void> {
  try {
    await files.appendLine(path, line);
  } catch (error) {
    if (!(await isLast(files, path, line))) throw error;
  }
}

async function isLast(files: Pick<Files, 'readJournal'>, path: string, line: string): Promise<boolean> {
  try {
    const { lines, damage } = await files.readJournal(path);
    return damage === null && lines.at(-1)?.text === line;
  } catch {
    return false; // the failure to report is the first one
  }
}
