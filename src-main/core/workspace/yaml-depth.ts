// How deep a YAML text nests and of how many parts it is, found before it is parsed. Imported by this folder only.
// The full parser aborts the whole process on about 1,000 nested brackets, and takes seconds for a megabyte of marks; its
// lexer and CST parser do not recurse.
import { Lexer, Parser } from 'yaml';

/** Far beyond any file a person writes. */
export const maxYamlDepth = 64;
export const maxYamlParts = 200_000;

const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

export interface TooLarge {
  readonly what: 'deep' | 'many';
  /** Where in the text the limit is passed. */
  readonly offset: number;
}

/** Null for a text within both limits. Parts are the lexer's: words, marks, spaces, line ends. */
export function findTooLarge(text: string): TooLarge | null {
  const parser = new Parser();
  let offset = 0;
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme)) void _token;
    parts += 1;
    if (parts > maxYamlParts) return { what: 'many', offset };
    if (parser.stack.length > maxYamlDepth && collectionsOpen(parser) > maxYamlDepth) return { what: 'deep', offset: Math.min(offset, text.length) };
    if (!isMarker(lexeme)) offset += lexeme.length;
  }
  return null;
}

function collectionsOpen(parser: Parser): number {
  return parser.stack.filter((token) => collections.has(token.type)).length;
}

/** The lexer announces documents, scalars and flow ends with one control character that is not in the text. */
function isMarker(lexeme: string): boolean {
  return lexeme === '\u0002' || lexeme === '\u0018' || lexeme === '\u001F';
}
