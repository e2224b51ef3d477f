// CartPole-v1, equal to Gymnasium's bit for bit: a pole on a cart, push left (0) or right (1), one point per step.
// Imported by envs/registry.ts, the toolkit and tests.
// Source: gymnasium/envs/classic_control/cartpole.py (Barto, Sutton and Anderson 1983), Euler integration.
import type { Generator } from '../seeding/generator.ts';
import { TIME_OUT, type VectorEnv } from './vector-env.ts';

const GRAVITY = 9.8;
const POLE_MASS = 0.1;
const TOTAL_MASS = POLE_MASS + 1.0;
const HALF_LENGTH = 0.5;
const POLE_MASS_LENGTH = POLE_MASS * HALF_LENGTH;
const TAU_S = 0.02;
const RESET_BOUND = 0.05;
const STATE = 4;

export const CARTPOLE_CAUSES = ['fell_left', 'fell_right', 'out_of_bounds', TIME_OUT] as const;

export interface CartPoleRules {
  /** Steps after which an episode is truncated. */
  readonly max_episode_steps: number;
  /** The pole has fallen beyond this angle. */
  readonly angle_limit_deg: number;
  /** The cart has left the track beyond this distance (metres) from its middle. */
  readonly position_limit: number;
  /** Newtons. */
  readonly force: number;
}
export const CARTPOLE_RULES: CartPoleRules = { max_episode_steps: 500, angle_limit_deg: 12, position_limit: 2.4, force: 10 };

export interface CartPole extends VectorEnv {
  /** numEnvs x (position, velocity, angle, angular velocity) in double precision; writable, for replays. */
  readonly state: Float64Array;
}

/** One copy per generator; copy i draws its starts (four uniforms in +-0.05) from `generators[i]`. */
export function makeCartPole(generators: readonly Generator[], rules: CartPoleRules = CARTPOLE_RULES): CartPole {
  const numEnvs = generators.length;
  const angleLimit = (rules.angle_limit_deg * 2 * Math.PI) / 360;
  const state = new Float64Array(numEnvs * STATE);
  const observations = new Float32Array(numEnvs * STATE);
  const finalObservations = new Float32Array(numEnvs * STATE);
  const rewards = new Float64Array(numEnvs);
  const terminated = new Uint8Array(numEnvs);
  const truncated = new Uint8Array(numEnvs);
  const elapsed = new Int32Array(numEnvs);
  const causes = new Uint8Array(numEnvs);

  const start = (env: number): void => {
    const generator = generators[env]!;
    for (let i = env * STATE; i < (env + 1) * STATE; i++) {
      state[i] = generator.uniformBetween(-RESET_BOUND, RESET_BOUND);
      observations[i] = state[i]!;
    }
    elapsed[env] = 0;
  };

  return {
    numEnvs,
    observationSize: STATE,
    actionCount: 2,
    timeLimit: rules.max_episode_steps,
    observations,
    rewards,
    trueRewards: rewards,
    terminated,
    truncated,
    finalObservations,
    state,
    reset(env) {
      if (env !== undefined) start(env);
      else for (let i = 0; i < numEnvs; i++) start(i);
    },
    step(actions) {
      for (let env = 0; env < numEnvs; env++) {
        const at = env * STATE;
        integrate(state, at, actions[env] === 1 ? rules.force : -rules.force);
        const x = state[at]!;
        const theta = state[at + 2]!;
        const isOut = x < -rules.position_limit || x > rules.position_limit;
        const isFallen = theta < -angleLimit || theta > angleLimit;
        const isLate = ++elapsed[env]! >= rules.max_episode_steps;
        rewards[env] = 1;
        terminated[env] = isOut || isFallen ? 1 : 0;
        truncated[env] = isLate ? 1 : 0;
        for (let i = at; i < at + STATE; i++) observations[i] = state[i]!;
        if (isOut || isFallen || isLate) {
          causes[env] = isOut ? 2 : isFallen ? (theta < 0 ? 0 : 1) : 3;
          for (let i = at; i < at + STATE; i++) finalObservations[i] = observations[i]!;
          start(env);
        }
      }
    },
    cause: (env) => CARTPOLE_CAUSES[causes[env]!]!,
  };
}

/** One Euler step in Gymnasium's order of operations, so that every rounding agrees. */
function integrate(state: Float64Array, at: number, force: number): void {
  const x = state[at]!;
  const xDot = state[at + 1]!;
  const theta = state[at + 2]!;
  const thetaDot = state[at + 3]!;
  const cos = Math.cos(theta);
  const sin = Math.sin(theta);
  const temp = (force + POLE_MASS_LENGTH * (thetaDot * thetaDot) * sin) / TOTAL_MASS;
  const thetaAcc = (GRAVITY * sin - cos * temp) / (HALF_LENGTH * (4.0 / 3.0 - (POLE_MASS * (cos * cos)) / TOTAL_MASS));
  const xAcc = temp - (POLE_MASS_LENGTH * thetaAcc * cos) / TOTAL_MASS;
  state[at] = x + TAU_S * xDot;
  state[at + 1] = xDot + TAU_S * xAcc;
  state[at + 2] = theta + TAU_S * thetaDot;
  state[at + 3] = thetaDot + TAU_S * thetaAcc;
}
