// Watches over a campaign: starts its process, and starts it again when it died. Decisions are in babysitting.ts.
// Imported by the babysitter entry only.
import { join } from 'node:path';
import type { BabysitterFile } from '../../../src-protocol/files/babysitter.ts';
import type { BackgroundProcess, Ports, ProcessExit, ProcessIdentity } from '../../ports.ts';
import { babysitterKey, refuseWhileRunning } from '../contract/who-runs.ts';
import { runPaths, type RunPaths } from '../workspace/layout.ts';
import { afterExit, beforeRestart, noRestarts, restartedText, type Decision, type Sitting } from './babysitting.ts';
import { campaignExit } from './campaign-exit.ts';
import { environmentOf } from './background-environment.ts';
import { pendingStop } from './control-inbox.ts';
import { readCampaignFile } from './campaign-file.ts';

export interface BabysitOptions {
  readonly ports: Ports;
  readonly root: string;
  readonly study: string;
  /** Aborts, with the signal's name as its reason, when the babysitter is asked to end. */
  readonly signal: AbortSignal;
  /** Tells what happens, for process.log. */
  readonly say: (line: string) => void;
}

/** An end is told of at once; a suspended campaign only has to be noticed. */
const lookMs = 2_000;
const keptDeaths = 20;

/** Gives the exit code of the campaign as it ended in the end. Throws RefusalError: campaign_running. */
export async function babysit(options: BabysitOptions): Promise<number> {
  const { ports, root, study } = options;
  const key = await babysitterKey(ports, root);
  for (;;) {
    await refuseWhileRunning(ports, root);
    const lock = await ports.locks.take(key, `campaign ${study}`);
    if (!lock.held) continue;
    try {
      return await new Watch(options, runPaths(root, study)).run();
    } finally {
      await lock.release();
    }
  }
}

class Watch {
  private sitting: Sitting = noRestarts;
  private file: BabysitterFile | null = null;
  private readonly children: ProcessIdentity[] = [];
  private readonly options: BabysitOptions;
  private readonly paths: RunPaths;

  constructor(options: BabysitOptions, paths: RunPaths) {
    this.options = options;
    this.paths = paths;
  }

  async run(): Promise<number> {
    const { ports, signal } = this.options;
    for (let diedBy: string | null = null; ; ) {
      const child = await this.start(diedBy);
      const exit = await this.untilExit(child);
      this.sitting = { ...this.sitting, isAskedToEnd: signal.aborted };
      const decision = afterExit(this.sitting, exit, { nowMs: ports.clock.monotonicMs(), stopAskedBy: await this.stopAskedBy() });
      if (decision.do === 'leave') {
        await this.write({ status: 'ended' });
        return decision.exitCode;
      }
      await this.noteDeath(child.identity, decision);
      const close = decision.do === 'close' ? decision : await this.waitToRestart(decision);
      if (close !== null) return this.close(child.identity, close);
      diedBy = decision.how;
    }
  }

  private async start(diedBy: string | null): Promise<BackgroundProcess> {
    const { ports, root, study } = this.options;
    const { node } = ports;
    const restarts = (this.file?.restarts ?? 0) + 1;
    // Before it starts: the campaign reads there how often that was.
    if (diedBy !== null) await this.write({ restarts, text: restartedText(diedBy, restarts) });
    const child = await ports.processes.startBackground({
      argv: [node.execPath, join(node.engineFolder, 'campaign.js'), root, study, ...(diedBy === null ? [] : ['--restarted'])],
      cwd: root,
      env: environmentOf(ports.machine),
      logPath: join(this.paths.folder, 'process.log'),
    });
    this.children.push(child.identity);
    await this.write({ status: 'watching', campaign: { pid: child.identity.pid, start_time: child.identity.startTime } });
    return child;
  }

  /** Passes on what we are asked, and leaves a suspended campaign alone: it is not dead. */
  private async untilExit(child: BackgroundProcess): Promise<ProcessExit> {
    const { ports, signal, say } = this.options;
    let exit: ProcessExit | null = null;
    const ended = child.exit.then((how) => void (exit = how));
    const pass = () => void ports.processes.ask(child.identity, signal.reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
    if (signal.aborted) pass();
    signal.addEventListener('abort', pass, { once: true });
    let wasSuspended = false;
    while (exit === null) {
      const isSuspended = await ports.processes.isSuspended(child.identity);
      if (isSuspended !== wasSuspended) say(isSuspended ? `the campaign process ${child.identity.pid} is suspended; it is left alone` : `the campaign process ${child.identity.pid} goes on`);
      wasSuspended = isSuspended;
      await this.sleep(lookMs, ended);
    }
    signal.removeEventListener('abort', pass);
    return exit;
  }

  private async noteDeath({ pid }: ProcessIdentity, decision: Exclude<Decision, { readonly do: 'leave' }>): Promise<void> {
    const { ports, say } = this.options;
    const isRestart = decision.do === 'restart';
    const text = isRestart ? `the process died (${decision.how}) and is started again` : decision.text;
    const deaths = [...(this.file?.deaths ?? []), { at: new Date(ports.clock.wallMs()).toISOString(), pid, how: decision.how }].slice(-keptDeaths);
    say(`the campaign process ${pid} died (${decision.how})${isRestart ? '; it is started again' : ''}`);
    await this.write({ deaths, text, ...(isRestart ? { status: 'restarting' } : {}) });
  }

  /** Null once it may start again; meanwhile a stop, or our own end, is heard. */
  private async waitToRestart({ afterMs, how, sitting }: Extract<Decision, { readonly do: 'restart' }>): Promise<Extract<Decision, { readonly do: 'close' }> | null> {
    const { ports, signal } = this.options;
    this.sitting = sitting;
    const deadline = ports.clock.monotonicMs() + afterMs;
    for (;;) {
      this.sitting = { ...this.sitting, isAskedToEnd: signal.aborted };
      const close = beforeRestart(this.sitting, how, await this.stopAskedBy());
      if (close !== null) return close;
      const leftMs = deadline - ports.clock.monotonicMs();
      if (leftMs <= 0) return null;
      await this.sleep(Math.min(leftMs, 100));
    }
  }

  private async close(process: ProcessIdentity, { status, how, text }: Extract<Decision, { readonly do: 'close' }>): Promise<number> {
    const { ports, root, study, say } = this.options;
    say(text);
    try {
      // Seldom needed, and it brings half of the engine along.
      const { closeDead } = await import('./close-dead.ts');
      const isTold = await closeDead(ports, { root, study, process, status, how, text });
      if (!isTold) say('another process holds the repository by now; nothing more was written');
    } finally {
      await this.write({ status: status === 'failed' ? 'gave_up' : 'ended', text });
    }
    return status === 'failed' ? campaignExit.fault : campaignExit.notCompleted;
  }

  /** A stop that waits in control/, or that the process took up and did not live to carry out. */
  private async stopAskedBy(): Promise<string | null> {
    const { ports } = this.options;
    const waiting = await pendingStop(ports, this.paths.control);
    if (waiting !== null) return waiting;
    const file = await readCampaignFile(ports, this.paths.campaign);
    const isOurs = this.children.some((child) => child.pid === file?.pid && child.startTime === file.start_time);
    return isOurs && file?.asked === 'stop' ? 'a request that it had taken up' : null;
  }

  /** What the disk refuses costs only what is told of us. */
  private async write(change: Partial<BabysitterFile>): Promise<void> {
    const { ports, study } = this.options;
    const { processes, clock, files, log } = ports;
    if (this.file === null) {
      const { pid, startTime: start_time } = await processes.self();
      const started_at = new Date(clock.wallMs()).toISOString();
      this.file = { ...{ schema: 1, study, pid, start_time, boot_id: await processes.bootId(), status: 'watching', started_at }, ...{ campaign: null, restarts: 0, deaths: [], text: '' } };
    }
    this.file = { ...this.file, ...change };
    await files.replaceFile(this.paths.babysitter, `${JSON.stringify(this.file)}\n`).catch((error: unknown) => log.warn('babysitter.json could not be written', { error: String(error) }));
  }

  private async sleep(ms: number, orUntil?: Promise<unknown>): Promise<void> {
    const woken = new AbortController();
    await Promise.race([this.options.ports.clock.sleep(ms, woken.signal).catch(() => undefined), ...(orUntil === undefined ? [] : [orUntil])]);
    woken.abort();
  }
}
