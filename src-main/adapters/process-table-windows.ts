// The process table of Windows, read with PowerShell. Only adapters/process-table imports it. Its parser is tested; it has never run on Windows.
import { execFile } from 'node:child_process';
import type { ProcessRow, ProcessTable } from './process-table.ts';

/** Environments of other processes cannot be read there, so strays are found by their parents alone. */
export function makeWindowsTable(): ProcessTable {
  return {
    row: async (pid) => (await query(`-Filter "ProcessId=${pid}"`))[0] ?? null,
    rows: () => query(''),
    tags: () => Promise.resolve(new Map()),
  };
}

/** `4242,1,638999999999999999`: number, parent, creation time in ticks. */
export function parseWindowsLine(line: string): ProcessRow[] {
  const match = /^(\d+),(\d+),(\d+)\s*$/.exec(line);
  if (match === null) return [];
  return [{ pid: Number(match[1]), parent: Number(match[2]), startTime: match[3] as string, group: 0, session: 0, isZombie: false, isStopped: false }];
}

function query(filter: string): Promise<readonly ProcessRow[]> {
  const script = `Get-CimInstance Win32_Process ${filter} | ForEach-Object { "$($_.ProcessId),$($_.ParentProcessId),$($_.CreationDate.Ticks)" }`;
  return new Promise((resolve) => {
    const options = { timeout: 15_000, windowsHide: true, maxBuffer: 64 * 1024 * 1024 };
    execFile('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], options, (_error, stdout) =>
      resolve(stdout.split('\n').flatMap(parseWindowsLine)),
    );
  });
}
