// Sees in a trial's terminal output whether work goes on: a line that comes again with a number that grew. Imported by this room and the doctor.
// It is fed text as it comes and looks at it once per tick, at the last part only, so that a flood costs nothing.

export interface ConsoleProgress {
  add(text: string): void;
  /** Whether a line progressed since the last call. */
  take(): boolean;
}

const keptChars = 16 * 1024;
const longestLine = 500;
const rememberedLines = 64;

export function makeConsoleProgress(): ConsoleProgress {
  let pending = '';
  let hasMore = false;
  const seen = new Map<string, readonly number[]>();

  /** A line is known by its words: numbers, bars and spinners around them change. */
  function hasGrown(line: string): boolean {
    const numbers = readNumbers(line);
    if (numbers.length === 0) return false;
    const words = line.replace(/[^\p{L}]+/gu, ' ').trim() + ` ${numbers.length}`;
    const before = seen.get(words);
    seen.delete(words);
    seen.set(words, numbers);
    const oldest = seen.keys().next();
    if (seen.size > rememberedLines && oldest.done === false) seen.delete(oldest.value);
    return before !== undefined && numbers.some((number, place) => number > (before[place] ?? Infinity));
  }

  return {
    add(text) {
      pending = (pending + text).slice(-keptChars);
      hasMore = true;
    },
    take() {
      if (!hasMore) return false;
      hasMore = false;
      const lines = stripTerminalCodes(pending).split(/[\r\n]+/);
      pending = lines.pop()?.slice(-longestLine) ?? '';
      // A progress bar may never end its line: what stands there counts too, and is looked at again when more comes.
      const progressed = [...lines, pending].filter((line) => line !== '').map((line) => hasGrown(line.slice(0, longestLine)));
      return progressed.includes(true);
    },
  };
}

function readNumbers(line: string): readonly number[] {
  return (line.match(/\d+(?:[.,]\d+)*/g) ?? []).slice(0, 32).map((digits) => Number(digits.replaceAll(',', '')));
}

/** Without escape sequences (ECMA-48: CSI, OSC, charset and two-character ones) and control characters other than line ends; each cursor-to-column-one counts as a line end. */
export function stripTerminalCodes(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*G/g, '\r')
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]+[0-~]|[0-Z\\^-~])/g, '')
    .replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f]/g, '');
}
