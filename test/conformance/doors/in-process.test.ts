// The in-process door passes the door suite.
import { callerKinds } from '../../../src-protocol/caller.ts';
import { makeInProcessDoor } from '../../../src-main/serve/in-process.ts';
import { doorSuite } from './door-suite.ts';

doorSuite({
  name: 'in-process',
  callers: callerKinds,
  open: (scene, caller) => makeInProcessDoor(scene.dispatch, caller),
});
