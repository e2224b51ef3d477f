// Behaves as a Stable-Baselines3 PPO training does, but for the learning: one core at full load, a rollout of 2048 steps every so much
// CPU time, ten scalars and a printed table after each, a checkpoint of 200 KB now and then. `node sb3-like-trainer.mjs trial.json`.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scalarRecord, versionRecord } from '../../core/trial/fixtures/event-bytes.mjs';

const trialPath = process.argv[2];
const trial = JSON.parse(readFileSync(trialPath, 'utf8'));
const { rollout_s: rolloutS, checkpoint_every: checkpointEvery, flushes } = trial.env_cfg.bench;
const folder = dirname(trialPath);
const stepsPerRollout = 2048;
const rollouts = Math.ceil(trial.timesteps / stepsPerRollout);

mkdirSync(join(folder, trial.logs), { recursive: true });
mkdirSync(join(folder, trial.checkpoints), { recursive: true });
const events = openSync(join(folder, trial.logs, `events.out.tfevents.${Math.floor(Date.now() / 1000)}.host.${process.pid}.0`), 'a');
writeSync(events, versionRecord());

for (let rollout = 1; rollout <= rollouts; rollout += 1) {
  work(rollout * rolloutS);
  log(rollout);
  if (rollout % checkpointEvery === 0) save(rollout);
}
save(rollouts);

/** Computes until this process has used so much CPU time: on a busy machine it takes longer, and costs the same. */
function work(untilCpuS) {
  const block = Buffer.alloc(64 * 1024, 7);
  for (;;) {
    const { user, system } = process.cpuUsage();
    if ((user + system) / 1e6 >= untilCpuS) return;
    createHash('sha256').update(block).digest();
  }
}

/** As SB3's logger does: the table in one write, each scalar an event of its own, then a flush. */
function log(rollout) {
  const step = rollout * stepsPerRollout;
  const share = rollout / rollouts;
  const gain = trial.agent_cfg.gain ?? 1;
  const values = {
    'rollout/ep_rew_mean': 20 + 180 * gain * share + (rollout % 7),
    'rollout/ep_len_mean': 20 + 180 * share,
    'time/fps': 1800 + (rollout % 11),
    'train/approx_kl': 0.01 + share / 1000,
    'train/clip_fraction': 0.1,
    'train/entropy_loss': -0.6 * (1 - share),
    'train/explained_variance': 0.5 + share / 3,
    'train/learning_rate': 0.0003,
    'train/loss': 10 * (1 - share),
    'train/value_loss': 40 * (1 - share),
  };
  process.stdout.write(tableOf({ ...values, 'time/iterations': rollout, 'time/time_elapsed': Math.round(process.uptime()), 'time/total_timesteps': step }));
  const records = Object.entries(values).map(([tag, value]) => scalarRecord(step, { [tag]: value }));
  writeSync(events, Buffer.concat(records));
  if (flushes !== undefined) appendFileSync(flushes, `${JSON.stringify({ step, at_ms: Date.now() })}\n`);
}

function tableOf(values) {
  const rows = [];
  let group = '';
  for (const [tag, value] of Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [head, name] = tag.split('/');
    if (head !== group) rows.push([`${head}/`, '']);
    group = head;
    rows.push([`   ${name}`, typeof value === 'number' && !Number.isInteger(value) ? value.toPrecision(3) : String(value)]);
  }
  const line = '-'.repeat(44);
  const text = rows.map(([name, value]) => `| ${name.padEnd(26)}| ${value.padEnd(13)}|`);
  return `${[line, ...text, line].join('\n')}\n`;
}

function save(rollout) {
  const path = join(folder, trial.checkpoints, `model_${rollout * stepsPerRollout}_steps.zip`);
  writeFileSync(`${path}.tmp`, Buffer.alloc(200 * 1024, rollout % 251));
  renameSync(`${path}.tmp`, path);
}
