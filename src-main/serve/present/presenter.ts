// What a presenter is: how the output of one tool, or one feed as it goes, reads in a terminal. Imported by presenters and the argv door.
import type { ChangeOf, FeedName, OutputOf, SnapshotOf, ToolName } from '../../../src-protocol/index.ts';
import type { ExitCode } from '../argv/exit-codes.ts';
import type { Look } from './look.ts';

export interface Presenter<Name extends ToolName> {
  lines(output: OutputOf<Name>, look: Look): readonly string[];
  /** For outputs that say no (a study with problems); 0 when absent. */
  exitCode?(output: OutputOf<Name>): ExitCode;
}

export type Presenters = { readonly [Name in ToolName]: Presenter<Name> };

/** One reading of a feed. */
export interface FeedView<Snapshot, Change> {
  snapshot(snapshot: Snapshot): readonly string[];
  change(change: Change): readonly string[];
  /** The line at the foot of a screen, kept up to date, in at most `columns` characters; empty for none. Never shown when piped. */
  statusLine(columns: number): string;
  /** What goes on when the watching ends now (`the campaign`); null when nothing does. */
  goesOn(): string | null;
  /** How the command ends when the feed ends now. */
  exitCode(): ExitCode;
}

export type FeedPresenters = { readonly [Name in FeedName]: (look: Look) => FeedView<SnapshotOf<Name>, ChangeOf<Name>> };
