// What happened, what it means, what can be done: one shape for every trouble. Imported by features and app.
import type { ReactNode } from 'react';

export interface NoticeProps {
  readonly tone: 'quiet' | 'warn' | 'bad';
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: { readonly label: string; run(): void };
}

export function Notice({ tone, title, children, action }: NoticeProps) {
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <strong>{title}</strong>
      {children}
      {action === undefined ? null : (
        <div className="actions">
          <button type="button" className="button" onClick={action.run}>
            {action.label}
          </button>
        </div>
      )}
    </div>
  );
}
