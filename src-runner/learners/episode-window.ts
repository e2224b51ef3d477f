// Keeps the returns and lengths of the most recently finished episodes. Imported by learners and the harness.
import type { VectorEnv } from '../envs/vector-env.ts';

export interface WindowSummary {
  readonly episodes: number;
  /** Of what the learner optimises, shaping included. */
  readonly meanReturn: number;
  readonly minReturn: number;
  readonly maxReturn: number;
  /** Of what an evaluation would count. */
  readonly meanTrueReturn: number;
  readonly meanLength: number;
}

export interface EpisodeWindow {
  /** Takes in one step of the environment. */
  observe(env: VectorEnv): void;
  /** Null until an episode has finished. */
  summary(): WindowSummary | null;
}

/** `size` episodes over all environments together, by the time they finished. */
export function makeEpisodeWindow(numEnvs: number, size = 100): EpisodeWindow {
  const running = Array.from({ length: numEnvs }, () => ({ total: 0, trueTotal: 0, length: 0 }));
  const recent: { total: number; trueTotal: number; length: number }[] = [];
  return {
    observe(env) {
      for (let i = 0; i < numEnvs; i++) {
        const episode = running[i]!;
        episode.total += env.rewards[i]!;
        episode.trueTotal += env.trueRewards[i]!;
        episode.length += 1;
        if (env.terminated[i] === 1 || env.truncated[i] === 1) {
          recent.push(episode);
          if (recent.length > size) recent.shift();
          running[i] = { total: 0, trueTotal: 0, length: 0 };
        }
      }
    },
    summary() {
      if (recent.length === 0) return null;
      const returns = recent.map((episode) => episode.total);
      return {
        episodes: recent.length,
        meanReturn: mean(returns),
        minReturn: Math.min(...returns),
        maxReturn: Math.max(...returns),
        meanTrueReturn: mean(recent.map((episode) => episode.trueTotal)),
        meanLength: mean(recent.map((episode) => episode.length)),
      };
    },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
