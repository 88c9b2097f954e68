// Catches what breaks while rendering (a bug, a chunk that a new version has replaced) and offers a
// way on.
import { Component, type ReactNode } from 'react';
import { Button } from '../platform/ui/Button.tsx';
import { EmptyState } from '../platform/ui/States.tsx';

export class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <main className="measure py-24" role="alert">
        <EmptyState
          heading="h1"
          drawing="no-results"
          title="Something went wrong on this page"
          action={<Button onClick={() => location.reload()}>Load it again</Button>}
        >
          It may be a short break of the connection, or a new version of the site.
        </EmptyState>
      </main>
    );
  }
}
