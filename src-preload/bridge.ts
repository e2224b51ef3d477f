// The preload script: puts the bridge into the page as `rlxp`. Runs sandboxed; nobody imports it.
import { contextBridge, ipcRenderer } from 'electron';
import { makeBridge } from './make-bridge.ts';

contextBridge.exposeInMainWorld('rlxp', makeBridge((message) => ipcRenderer.invoke('rlxp:door', message)));
