// Names that are safe as folder names on every system. Any room of the core may import it.
import { createHash } from 'node:crypto';

export const maxSlugLength = 120;

/** Names Windows keeps for devices. */
const deviceName = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const lossless = /^[a-z0-9][a-z0-9_-]*$/;

/**
 * `text` itself when it is lowercase letters, digits, `-` and `_` within 120 characters; otherwise what can be kept of it
 * and ten hex digits of its SHA-256, so that two texts never share a folder.
 */
export function slugOf(text: string): string {
  if (lossless.test(text) && text.length <= maxSlugLength && !deviceName.test(text)) return text;
  const hash = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 10);
  const kept = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '')
    .slice(0, maxSlugLength - hash.length - 1);
  return kept === '' ? `x-${hash}` : `${kept}-${hash}`;
}
