// Every write and fsync below .rlxp/ of a short campaign, failed once.
import { describe, it } from 'vitest';
import { failEach } from '../campaign/disk-faults.ts';

describe('a failing disk', () => {
  it('FA3: a write that fails once ends in a clear error or is gone over, and nothing is lost', { timeout: 900_000 }, () => failEach('write'));
  it('FA3: an fsync that fails once ends in a clear error or is gone over, and nothing is lost', { timeout: 900_000 }, () => failEach('fsync'));
});
