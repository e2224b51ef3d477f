// How long trials held the device: the union of their intervals on the monotonic clock, over every run of a campaign.
// Imported by this room only.
import type { Clock, Stop } from '../../ports.ts';

export interface DeviceTime {
  /** A trial takes the device; call the result when it has let go. */
  hold(): Stop;
  spentS(): number;
}

/** `alreadyS` is what earlier runs of the same campaign spent. */
export function makeDeviceTime(clock: Clock, alreadyS: number): DeviceTime {
  let holders = 0;
  let since = 0;
  let doneMs = alreadyS * 1000;
  return {
    hold() {
      if (holders === 0) since = clock.monotonicMs();
      holders += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders === 0) doneMs += clock.monotonicMs() - since;
      };
    },
    spentS: () => (doneMs + (holders > 0 ? clock.monotonicMs() - since : 0)) / 1000,
  };
}
