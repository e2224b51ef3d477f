// Learning-rate schedules. Imported by learners.

/** The rate for the update that starts at share `progress` (0..1) of the trial's timesteps. */
export function scheduledRate(schedule: 'constant' | 'linear', rate: number, progress: number): number {
  switch (schedule) {
    case 'constant':
      return rate;
    case 'linear':
      return rate * Math.max(0, 1 - progress);
  }
}
