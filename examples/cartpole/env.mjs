// The example's environment: CartPole-v1 with two reward weights to tune, and two faults to see what the workbench does
// about them. The runner hands its toolkit in, so this file imports nothing and runs from a read-only snapshot.

const defaults = {
  /** Points per step for staying up. */
  alive: 1,
  /** Points per unit of cart speed: tempting to add, bad for balance. */
  speed: 0,
  /** Fault: rewards turn to NaN after this many steps of all copies together; 0 is never. */
  diverge_after: 0,
  /** Fault: the simulator stops answering after this many steps of all copies together; 0 is never. */
  hang_after: 0,
};

export function makeEnv({ generators, envCfg }, rlxp) {
  const { rewards = {}, faults = {} } = envCfg;
  const settings = rlxp.readSettings({ ...rewards, ...faults }, defaults);
  const env = rlxp.withShaping(rlxp.makeCartPole(generators), {
    alive: { weight: settings.alive - 1, scored: true, value: () => 1 },
    speed: { weight: settings.speed, scored: true, value: (_before, _action, after) => Math.abs(after[1]) },
  });
  return settings.diverge_after > 0 || settings.hang_after > 0 ? withFaults(env, settings) : env;
}

/** The same environment until its fault strikes. */
function withFaults(env, { diverge_after, hang_after }) {
  let steps = 0;
  return {
    ...env,
    step(actions) {
      env.step(actions);
      steps += env.numEnvs;
      if (hang_after > 0 && steps >= hang_after) waitForEver();
      if (diverge_after > 0 && steps >= diverge_after) env.rewards.fill(NaN);
    },
  };
}

/** What a deadlocked simulator looks like from outside: alive, silent, deaf to a polite interrupt. */
function waitForEver() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
