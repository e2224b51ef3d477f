// The ipc door passes the door suite, through everything a call passes: page transport, bridge, Electron's copies, sender checks, session.
import { openIpcDoor } from '../../src-main/desktop/ipc-door.ts';
import { makeInProcessDoor } from '../../src-main/serve/in-process.ts';
import { makeBridge } from '../../src-preload/make-bridge.ts';
import { makeHost } from '../../src-renderer/host.ts';
import { doorSuite } from '../conformance/doors/door-suite.ts';
import { makeFakeElectron } from './fake-electron.ts';

doorSuite({
  name: 'ipc (W30)',
  callers: ['window'],
  open(scene, caller) {
    const electron = makeFakeElectron();
    const contents = electron.makeContents();
    openIpcDoor(electron.parts, makeInProcessDoor(scene.dispatch, caller), scene.ports.log).admit(contents);
    return makeHost(makeBridge((message) => electron.send(contents, message)));
  },
});
