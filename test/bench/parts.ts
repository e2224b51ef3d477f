// The parts of `npm run bench`, in the order in which they run. Imported by bench.ts and its test.
import type { BenchPart } from './bench-part.ts';
import { eventsPart } from './events/part.ts';
import { flushPart } from './flush/part.ts';
import { overheadPart } from './overhead/part.ts';
import { ppoPart } from './ppo/part.ts';
import { verdictPart } from './verdict/part.ts';

export const parts: readonly BenchPart[] = [overheadPart, flushPart, ppoPart, eventsPart, verdictPart];
