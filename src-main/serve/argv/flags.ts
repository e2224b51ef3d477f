// The flags and positions of a command, derived from the input schema of its tool. Imported by the argv door.
import { z } from 'zod';
import type { Feed, Tool } from '../../../src-protocol/tool.ts';

export type Declared = Tool | Feed;

/** The part of JSON Schema that a value on the command line is read by. */
export interface ValueForm {
  readonly type?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly items?: ValueForm | undefined;
  /** `path`: a file, which the command line takes from the current folder. */
  readonly format?: unknown;
}

export interface Flag {
  /** Key of the input. */
  readonly key: string;
  /** kebab-case, without dashes: `agents-may-start`. */
  readonly name: string;
  readonly form: ValueForm;
  readonly description: string;
  readonly isRequired: boolean;
  readonly fallback: unknown;
  /** Place among the positional words; null for a flag only. */
  readonly position: number | null;
}

const inputSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.string().optional(), description: z.string().optional(), default: z.unknown().optional() })).default({}),
  required: z.array(z.string()).default([]),
});

/** Every input but `root`, which is a flag of all commands. Positional ones first, in their order. */
export function flagsOf(declared: Declared): readonly Flag[] {
  const schema = inputSchema.parse(z.toJSONSchema(declared.input, { io: 'input', unrepresentable: 'any' }));
  const positional = declared.cli.positional ?? [];
  const flags = Object.entries(schema.properties)
    .filter(([key]) => key !== 'root')
    .map(([key, property]): Flag => {
      const position = positional.indexOf(key);
      return {
        key,
        name: toKebab(key),
        form: property as ValueForm,
        description: property.description ?? '',
        isRequired: schema.required.includes(key),
        fallback: property.default,
        position: position === -1 ? null : position,
      };
    });
  return flags.sort((a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || 0);
}

export function hasRoot(declared: Declared): boolean {
  return 'root' in declared.input.shape;
}

/** How the value is written in help: NAME, N, JSON, a|b, or nothing for a switch. */
export function valueWord(form: ValueForm): string {
  if (form.enum !== undefined) return form.enum.map(String).join('|');
  switch (form.type) {
    case 'boolean':
      return '';
    case 'integer':
    case 'number':
      return 'N';
    case 'string':
      return form.format === 'path' ? 'FILE' : 'TEXT';
    case 'array':
      return form.items === undefined ? 'JSON' : valueWord(form.items);
    default:
      return 'JSON';
  }
}

export function toKebab(key: string): string {
  return key.replaceAll('_', '-');
}
