// Exit codes of the campaign process: how its babysitter and the door that started it learn how it ended. Imported by this room and its entries.

export const campaignExit = {
  completed: 0,
  fault: 1,
  usage: 2,
  refused: 3,
  /** Stopped or blocked. */
  notCompleted: 4,
  /** Another campaign runs on this repository. */
  held: 5,
} as const;
