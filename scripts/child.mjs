// Runs a child process to its end. Imported by the scripts of this folder.
import { spawn } from 'node:child_process';

/**
 * Resolves with the exit code (128 + n after signal n). Ctrl-C reaches the child through the terminal; we wait for it.
 * `output`: 'inherit' shows it; 'stderr' moves it off our standard output; 'collect' returns it as text.
 */
export function runChild(command, args, { cwd, env = process.env, output = 'inherit' } = {}) {
  const stdio = { inherit: 'inherit', stderr: ['inherit', 2, 2], collect: ['ignore', 'pipe', 'pipe'] }[output];
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio, shell: process.platform === 'win32' && command.endsWith('.cmd') });
    const ignore = () => undefined;
    process.on('SIGINT', ignore);
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', ignore);
      resolve({ code: code ?? 128 + (signalNumbers[signal] ?? 1), text: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

export function npmCommand() {
  return process.platform === 'win32' ? 'npm.cmd' : 'npm';
}

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };
