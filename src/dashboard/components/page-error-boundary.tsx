// Catches errors of a page and shows a message in its place, so that the rest of the dashboard still works. With the page's path as
// key, another page is drawn anew.

import { Component, type ReactNode } from "react";

interface PageErrorState {
  readonly broken: boolean;
}

export class PageErrorBoundary extends Component<{ readonly children: ReactNode }, PageErrorState> {
  override readonly state: PageErrorState = { broken: false };

  static getDerivedStateFromError(): PageErrorState {
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
