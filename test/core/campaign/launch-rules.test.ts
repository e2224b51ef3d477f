import { describe, expect, it } from 'vitest';
import { needsNormalizer } from '../../../src-main/core/campaign/launch-rules.ts';
import { adapterFile } from '../../../src-protocol/files/adapter.ts';

const of = (change: object) => ({ adapter: adapterFile.parse({ framework: 'command', metrics: {}, ...change }) });

describe('what an evaluation needs', () => {
  it('AD19: statistics where the adapter names some, whatever the agent\'s settings are called', () => {
    for (const agent_cfg of [{}, { agent: { normalize_observations: true } }]) {
      expect(needsNormalizer(of({}), { agent_cfg })).toBe(false);
      expect(needsNormalizer(of({ normalizer: 'none' }), { agent_cfg })).toBe(false);
      expect(needsNormalizer(of({ normalizer: 'checkpoints/*.pkl' }), { agent_cfg })).toBe(true);
    }
  });

  it('AD19: for the bundled runner, where its agent normalises', () => {
    const bundled = of({ framework: 'bundled', normalizer: 'none' });
    expect(needsNormalizer(bundled, { agent_cfg: {} })).toBe(true);
    expect(needsNormalizer(bundled, { agent_cfg: { agent: { normalize_observations: false } } })).toBe(false);
  });
});
