// How deep a YAML text nests, found before it is parsed. Imported by the YAML readers of this folder.
// The full parser aborts the whole process on about 1,000 nested brackets; its lexer and CST parser do not recurse.
import { Lexer, Parser } from 'yaml';

/** Far beyond any file a person writes. */
export const maxYamlDepth = 64;

const collections: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

/** Offset in `text` where nesting first exceeds `maxYamlDepth`; null when it never does. */
export function tooDeepAt(text: string): number | null {
  const parser = new Parser();
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme)) void _token;
    if (parser.stack.length > maxYamlDepth && collectionsOpen(parser) > maxYamlDepth) return Math.min(offset, text.length);
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
