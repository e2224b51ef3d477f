// The YAML library's complaints in words for a person who edits the file. Imported by yaml-document.ts only.
import type { YAMLError } from 'yaml';

type Words = readonly [message: string, fix: string];

const known: Readonly<Partial<Record<YAMLError['code'], Words>>> = {
  TAB_AS_INDENT: ['a tab is used as indentation', 'Indent with spaces; YAML does not allow tabs there.'],
  DUPLICATE_KEY: ['a key stands here a second time', 'Keep one of the two.'],
  MULTIPLE_DOCS: ['the file holds more than one document', 'Keep one document: remove the `---` or `...` line and what follows.'],
  BLOCK_AS_IMPLICIT_KEY: ['a second `key: value` stands on one line', 'Put the inner value in braces or on lines of its own, or in quotes if it is text.'],
  BAD_SCALAR_START: ['a plain value starts with a reserved character', 'Put the value in quotes.'],
  BAD_DQ_ESCAPE: ['an escape in double quotes is not known', 'Double the backslash or use single quotes.'],
  BAD_ALIAS: ['an alias or anchor has no usable name', 'Put the value in quotes, or write the value out.'],
  NON_STRING_KEY: ['a key is not a plain word', 'Write the key as a word before the colon.'],
  KEY_OVER_1024_CHARS: ['a key is longer than 1024 characters', 'Use a shorter key; a quote may be missing.'],
};

export function wordsOf(error: YAMLError): Words {
  const words = known[error.code];
  if (words !== undefined) return words;
  const message = error.message.replace(/\.$/, '');
  if (error.code === 'MISSING_CHAR' && /quote/.test(message)) return ['a quote is not closed', 'Close the quote.'];
  if (error.code === 'BAD_INDENT' && /Flow/.test(message)) return [lower(message), 'Close the bracket, and indent what is inside it.'];
  if (error.code === 'BAD_INDENT') return [lower(message), 'Line the keys of one block up under each other.'];
  if (error.code === 'MISSING_CHAR') return [lower(message), 'Add what is missing: usually a colon, a bracket or a brace.'];
  return [lower(message), 'Correct the YAML here; an editor with YAML support shows the spot.'];
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
