// How much of a known whole is done. Imported by features.

export function Meter({ label, done, whole }: { readonly label: string; readonly done: number; readonly whole: number }) {
  return <progress className="meter" aria-label={label} value={Math.min(done, whole)} max={Math.max(whole, 1)} />;
}
