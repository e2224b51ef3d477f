// Where the window stands, kept between starts in one small file. Imported by start-desktop.ts, main-window.ts and tests.
import { dirname } from 'node:path';
import { z } from 'zod';
import type { BrowserWindow, Rectangle } from 'electron';
import type { Files, Log } from '../ports.ts';
import type { ElectronParts } from './electron-parts.ts';

export const smallest = { width: 1024, height: 700 } as const;
const usual = { width: 1280, height: 840 } as const;
const quietMs = 500;
/** So much of the title bar must be on a screen that a person can pull it back. */
const graspPx = 80;

const placeFile = z.object({
  schema: z.literal(1),
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
  isMaximized: z.boolean(),
});

/** Without x and y the system chooses. */
export type WindowPlace = { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number; readonly isMaximized: boolean };

export interface WindowPlaces {
  /** The kept place as far as today's screens still show it; the usual one when nothing usable was kept. */
  read(): Promise<WindowPlace>;
  /** Keeps the place of this window from now on. */
  follow(window: BrowserWindow): void;
  /** Resolves when the last place is on disk, or could not be written. */
  settled(): Promise<void>;
}

export interface PlaceOptions {
  readonly electron: Pick<ElectronParts, 'screen'>;
  readonly files: Pick<Files, 'makeFolder' | 'readText' | 'replaceFile'>;
  readonly log: Log;
  /** Absolute path of the file. */
  readonly path: string;
}

export function keepWindowPlace({ electron, files, log, path }: PlaceOptions): WindowPlaces {
  let writing: Promise<void> = Promise.resolve();

  function keep(window: BrowserWindow): void {
    if (window.isDestroyed() || window.isMinimized()) return;
    const { x, y, width, height } = window.getNormalBounds();
    const text = `${JSON.stringify({ schema: 1, x, y, width, height, isMaximized: window.isMaximized() })}\n`;
    writing = writing
      .then(() => files.makeFolder(dirname(path)))
      .then(() => files.replaceFile(path, text))
      .catch((error: unknown) => log.warn('the place of the window was not kept', { error: String(error) }));
  }

  return {
    async read() {
      const kept = parse(await files.readText(path, { maxBytes: 10_000 }).catch(() => ''));
      if (kept === null) return { ...usual, isMaximized: false };
      const size = { width: Math.max(kept.width, smallest.width), height: Math.max(kept.height, smallest.height), isMaximized: kept.isMaximized };
      const isReachable = electron.screen.getAllDisplays().some((display) => canGrasp({ ...kept, ...size }, display.workArea));
      return isReachable ? { ...size, x: kept.x, y: kept.y } : size;
    },
    follow(window) {
      let timer: NodeJS.Timeout | null = null;
      const soon = (): void => {
        if (timer !== null) clearTimeout(timer);
        timer = setTimeout(() => keep(window), quietMs);
      };
      window.on('resize', soon);
      window.on('move', soon);
      window.on('maximize', soon);
      window.on('unmaximize', soon);
      window.on('close', () => {
        if (timer !== null) clearTimeout(timer);
        keep(window);
      });
    },
    settled: () => writing,
  };
}

function parse(text: string): z.infer<typeof placeFile> | null {
  try {
    return placeFile.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function canGrasp(place: Rectangle, area: Rectangle): boolean {
  const across = Math.min(place.x + place.width, area.x + area.width) - Math.max(place.x, area.x);
  return across >= graspPx && place.y >= area.y && place.y <= area.y + area.height - graspPx;
}
