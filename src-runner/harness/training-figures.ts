// What one update writes to the event log: tags as skrl names them, in logging order. Imported by harness/train-trial.ts.
import type { WindowSummary } from '../learners/episode-window.ts';
import type { PpoFigures } from '../learners/ppo.ts';

export type Scalar = readonly [tag: string, value: number];

/** Episode figures are absent, not NaN, before an episode has finished. `isShaped` adds the mean of what an evaluation would count. */
export function trainingScalars(figures: PpoFigures, episodes: WindowSummary | null, isShaped: boolean): readonly Scalar[] {
  return [
    ...(episodes === null ? [] : episodeScalars(episodes, isShaped)),
    ['Loss / Policy loss', figures.policyLoss],
    ['Loss / Value loss', figures.valueLoss],
    ['Loss / Entropy loss', figures.entropyLoss],
    ['Learning / Learning rate', figures.learningRate],
    ['Learning / Gradient norm', figures.gradientNorm],
    ['Policy / Kullback-Leibler divergence', figures.kl],
    ['Policy / Entropy', figures.entropy],
    ['Policy / Clip fraction', figures.clipFraction],
    ['Value / Explained variance', figures.explainedVariance],
  ];
}

function episodeScalars(episodes: WindowSummary, isShaped: boolean): readonly Scalar[] {
  return [
    ['Reward / Total reward (mean)', episodes.meanReturn],
    ['Reward / Total reward (max)', episodes.maxReturn],
    ['Reward / Total reward (min)', episodes.minReturn],
    ...(isShaped ? ([['Reward / Unshaped reward (mean)', episodes.meanTrueReturn]] as const) : []),
    ['Episode / Total timesteps (mean)', episodes.meanLength],
  ];
}
