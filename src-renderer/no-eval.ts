// Must be the first import of main.tsx: the page's policy forbids building code from text, and zod tries that when a schema is made.
import { config } from 'zod';

config({ jitless: true });
