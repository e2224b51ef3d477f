// Keeps a fault of one panel from blanking the page. Imported by app.tsx.
import { Component } from 'react';
import type { ReactNode } from 'react';
import { Notice } from '../ui/notice.tsx';

interface State {
  readonly error: unknown;
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    const action = { label: 'Draw it again', run: () => this.setState({ error: null }) };
    return (
      <Notice tone="bad" title="This part of the window failed" action={action}>
        <p>Nothing of your study is touched: a campaign runs in a process of its own and goes on.</p>
        <p className="quiet">{error instanceof Error ? error.message : String(error)}</p>
      </Notice>
    );
  }
}
