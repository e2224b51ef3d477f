// The steps that take files of earlier versions to the schema of today, by file kind. Every schema is at 1 today, so there is none:
// the first that changes adds its step here and keeps a golden file of the old version in test/fixtures/schemas.
// Imported by read-file.ts, the journals of records and the check.
import type { z } from 'zod';
import type { SchemaSteps } from './schema-versions.ts';

const steps = new Map<z.ZodType, SchemaSteps>([]);

export function stepsOf(schema: z.ZodType): SchemaSteps {
  return steps.get(schema) ?? [];
}
