// Asks the person at a terminal to type the name of what they approve or destroy. It decides nothing: dispatch compares the
// name and refuses everybody else. Imported by run-tool.ts.
import { makeRefusal } from '../../../src-protocol/refusal.ts';
import type { Result } from '../../../src-protocol/refusal.ts';
import type { ToolName } from '../../../src-protocol/index.ts';
import type { Tool } from '../../../src-protocol/tool.ts';
import { printable, printableValue } from '../present/look.ts';
import { previews } from './preview.ts';
import type { Preview } from './preview.ts';
import type { Session } from './session.ts';
import { makeClient } from '../../../src-protocol/client.ts';
import type { Transport } from '../../../src-protocol/client.ts';

export interface Confirmation {
  /** What was typed, or given with `--yes`; null when nobody was asked. */
  readonly typed: string | null;
  /** Inputs that bind the answer to what was shown. */
  readonly bound: Readonly<Record<string, unknown>>;
}

const nobodyAsked: Result<Confirmation> = { ok: true, output: { typed: null, bound: {} } };

export async function confirm(tool: Tool, input: Readonly<Record<string, unknown>>, given: { readonly session: Session; readonly yes: string | null }): Promise<Result<Confirmation>> {
  const { session, yes } = given;
  const isAsked = tool.effect === 'approve' || tool.effect === 'destroy';
  if (!isAsked || tool.about === null) return nobodyAsked;
  if (yes !== null) return { ok: true, output: { typed: yes, bound: {} } };
  if (!session.terminal.isInteractive) return nobodyAsked;
  const preview = await showPreview(tool, input, session);
  if (!preview.ok) return preview;
  const verb = tool.effect === 'approve' ? 'agree' : 'go on';
  const answer = await session.terminal.ask(`Type ${printable(String(input[tool.about]))} to ${verb}, or press Enter to leave it: `);
  if (answer.is === 'interrupted') return { ok: false, refusal: makeRefusal('cancelled', 'nothing was agreed to') };
  const digest = preview.output.digest;
  const bound = digest !== null && input['digest'] === undefined ? { digest } : {};
  return { ok: true, output: { typed: answer.is === 'line' ? answer.text.trim() : null, bound } };
}

async function showPreview(tool: Tool, input: Readonly<Record<string, unknown>>, session: Session): Promise<Result<Preview>> {
  const previewOf = previews[tool.name as ToolName];
  if (previewOf === undefined) return { ok: true, output: { lines: [], digest: null } };
  const preview = await previewOf(makeClient(printableTransport(session.transport)), input, session.look);
  if (preview.ok) session.terminal.err(`${preview.output.lines.join('\n')}\n\n`);
  return preview;
}

/** What files say is shown, never obeyed: text that a terminal would act on is taken out before it is styled. */
function printableTransport(transport: Transport): Transport {
  return {
    ...transport,
    async call(name, input, options) {
      const result = await transport.call(name, input, options);
      return result.ok ? { ok: true, output: printableValue(result.output) } : result;
    },
  };
}
