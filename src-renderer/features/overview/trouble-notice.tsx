// A refusal or a fault in words, with what can be done. Imported by the files of this folder.
import type { Trouble } from '../../state/trouble.ts';
import { Notice } from '../../ui/notice.tsx';

export function TroubleNotice({ title, trouble, onRetry }: { readonly title: string; readonly trouble: Trouble; onRetry(): void }) {
  const action = { label: 'Try again', run: onRetry };
  if (trouble.is === 'fault') {
    return (
      <Notice tone="bad" title={title} action={action}>
        <p>{trouble.fault.message}</p>
        <p className="quiet">Looking changes nothing, so nothing was lost. Fault {trouble.fault.id}.</p>
      </Notice>
    );
  }
  const { refusal } = trouble;
  return (
    <Notice tone="bad" title={title} action={action}>
      <p>{refusal.message}</p>
      {refusal.problems === undefined ? null : (
        <ul>
          {refusal.problems.map((problem, index) => (
            <li key={index}>
              <code>{problem.line === null ? problem.file : `${problem.file}:${problem.line}`}</code> {problem.message}. {problem.fix}
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">{refusal.next}</p>
    </Notice>
  );
}
