// The one ipc door: checks who sends, then hands the message to the page's session. The only file that touches ipcMain. Imported by start-desktop.ts and tests.
import type { IpcMainInvokeEvent, WebContents } from 'electron';
import type { Transport } from '../../src-protocol/client.ts';
import type { Log } from '../ports.ts';
import { doorChannel, parseMessage } from './door-message.ts';
import { makeDoorSession } from './door-session.ts';
import type { DoorSession } from './door-session.ts';
import type { ElectronParts } from './electron-parts.ts';
import { origin } from './origin.ts';

export interface IpcDoor {
  /** Lets a page in; it is shut out again when it is destroyed. Reloading or crashing cancels what it had open. */
  admit(contents: WebContents): void;
  close(): void;
}

/** `transport` speaks for the person at the window: whatever comes through this door counts as `window`. */
export function openIpcDoor({ ipcMain }: Pick<ElectronParts, 'ipcMain'>, transport: Transport, log: Log): IpcDoor {
  const sessions = new Map<number, DoorSession>();

  ipcMain.handle(doorChannel, async (event, received: unknown) => {
    const session = isFromPage(event) ? sessions.get(event.sender.id) : undefined;
    if (session === undefined) {
      log.warn('ipc from a sender that is not our page was refused');
      throw new Error('refused');
    }
    const message = parseMessage(received);
    if (message === null) {
      log.warn('an ipc message that is none was refused');
      throw new Error('refused');
    }
    return session.answer(message);
  });

  function forget(id: number): void {
    sessions.get(id)?.close();
    sessions.delete(id);
  }

  return {
    admit(contents) {
      const { id } = contents;
      const renew = (): void => {
        forget(id);
        sessions.set(id, makeDoorSession(transport));
      };
      renew();
      contents.on('did-start-navigation', (details) => {
        if (details.isMainFrame && !details.isSameDocument) renew();
      });
      contents.on('render-process-gone', renew);
      contents.once('destroyed', () => forget(id));
    },
    close() {
      ipcMain.removeHandler(doorChannel);
      for (const id of [...sessions.keys()]) forget(id);
    },
  };
}

/** The main frame of a living page of ours. Looking at a frame that is gone throws. */
function isFromPage({ senderFrame }: IpcMainInvokeEvent): boolean {
  try {
    return senderFrame !== null && !senderFrame.isDestroyed() && !senderFrame.detached && senderFrame.parent === null && senderFrame.origin === origin;
  } catch {
    return false;
  }
}
