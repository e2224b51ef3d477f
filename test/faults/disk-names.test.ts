// Every rename, open for writing and unlink below .rlxp/ of a short campaign, failed once.
import { describe, it } from 'vitest';
import { failEach } from '../campaign/disk-faults.ts';

describe('a failing disk', () => {
  it('FA3: a rename that fails once ends in a clear error or is gone over, and nothing is lost', { timeout: 900_000 }, () => failEach('rename'));
  it('FA3: an open that fails once ends in a clear error or is gone over, and nothing is lost', { timeout: 900_000 }, () => failEach('open'));
  it('FA3: an unlink that fails once ends in a clear error or is gone over, and nothing is lost', { timeout: 900_000 }, () => failEach('unlink'));
});
