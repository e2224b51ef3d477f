// What a child process of the durable tests needs, bundled for it.
export { appendLine } from '../../../src-main/durable/append-line.ts';
export { replaceFile } from '../../../src-main/durable/replace-file.ts';
