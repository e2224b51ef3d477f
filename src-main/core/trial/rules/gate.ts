// Rule `gate`: a minimum smoothed reward at a given step. Imported by the monitor only.
import type { MonitorRules } from '../../../../src-protocol/files/study.ts';
import type { TrackedPoint } from '../reward-track.ts';
import type { MonitorDecision } from './decision.ts';

export interface GateRule {
  see(point: TrackedPoint): MonitorDecision | null;
}

/** Rule M4: each gate is asked once, by the first finite smoothed point at or past its step. */
export function makeGateRule(gates: MonitorRules['min_reward_gates']): GateRule {
  const waiting = [...gates].sort((a, b) => a.step - b.step || b.min_reward - a.min_reward);
  return {
    see(point) {
      for (let gate = waiting[0]; gate !== undefined && point.step >= gate.step; gate = waiting[0]) {
        waiting.shift();
        if (point.smoothed < gate.min_reward) {
          const text = `smoothed reward ${round(point.smoothed)} at ${point.step} is below the gate of ${gate.min_reward} at ${gate.step}`;
          return { rule: 'gate', text, step: point.step, value: point.smoothed };
        }
      }
      return null;
    },
  };
}

function round(value: number): string {
  return String(Number(value.toPrecision(4)));
}
