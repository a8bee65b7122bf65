// Catches a page that broke, so that the rest of the dashboard stays, and says so in words. Give it the page's path as key:
// a new page is a new chance.

import { Component, type ReactNode } from "react";

interface PageGuardState {
  readonly broken: boolean;
}

export class PageErrorBoundary extends Component<{ readonly children: ReactNode }, PageGuardState> {
  override readonly state: PageGuardState = { broken: false };

  static getDerivedStateFromError(): PageGuardState {
    return { broken: true };
  }

  override render(): ReactNode {
    if (!this.state.broken) return this.props.children;
    return (
      <div role="alert">
        <h1 tabIndex={-1}>This page cannot be shown</h1>
        <p>Something in the dashboard itself failed, which is a bug. The cluster is not affected.</p>
        <p>
          Reload the page, or see the same in a terminal with <code>mainstay status</code>.
        </p>
      </div>
    );
  }
}
