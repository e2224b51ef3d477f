// The folder that the shell asks the page to open: `#open=<folder>` in its own address. Imported by app.tsx.

/** Calls `onAsk` for the folder asked for now and for every later one; gives the function that stops it. */
export function watchAskedFolder(onAsk: (folder: string) => void): () => void {
  const tell = (): void => {
    const folder = new URLSearchParams(location.hash.slice(1)).get('open');
    if (folder !== null && folder !== '') onAsk(folder);
  };
  tell();
  addEventListener('hashchange', tell);
  return () => removeEventListener('hashchange', tell);
}
