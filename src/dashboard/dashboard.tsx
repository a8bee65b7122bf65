// The frame around every page: navigation, the state of the stream, and the page for the current address.

import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { FailureNote } from "./components/failure-note.tsx";
import { FaultBanner } from "./components/fault-banner.tsx";
import { PageErrorBoundary } from "./components/page-error-boundary.tsx";
import { PageHeading } from "./components/page-heading.tsx";
import { PageLink } from "./components/page-link.tsx";
import { StaleBanner, StreamWord } from "./components/stream-state.tsx";
import { ThemeChoice } from "./components/theme-choice.tsx";
import { TokenForm } from "./components/token-form.tsx";
import { useConnection, useLive } from "./live/live-context.tsx";
import type { Knowledge } from "./live/live-state.ts";
import emblem from "./mainstay.svg";
import { useView } from "./navigation.ts";
import { FaultsPage } from "./pages/faults-page.tsx";
import { ManagerPage } from "./pages/manager-page.tsx";
import { NotFoundPage } from "./pages/not-found-page.tsx";
import { ObjectPage } from "./pages/object-page.tsx";
import { OverviewPage } from "./pages/overview-page.tsx";
import { PlanLogPage } from "./pages/plan-log-page.tsx";
import { RunbookPage } from "./pages/runbook-page.tsx";
import { RunbooksPage } from "./pages/runbooks-page.tsx";
import { formatView, type View } from "./routes.ts";

interface Place {
  readonly name: string;
  readonly view: View;
  /** Where it is the current one. */
  readonly pages: readonly View["page"][];
}

const places: readonly Place[] = [
  { name: "Overview", view: { page: "overview", filter: {} }, pages: ["overview", "object"] },
  { name: "Plan log", view: { page: "plan-log", filter: {} }, pages: ["plan-log"] },
  { name: "Manager", view: { page: "manager" }, pages: ["manager"] },
  { name: "Runbooks", view: { page: "runbooks" }, pages: ["runbooks", "runbook"] },
];
/** Last, so that nothing moves when it turns out that this is the demonstration. */
const faults: Place = { name: "Faults", view: { page: "faults" }, pages: ["faults"] };

export function Dashboard() {
  const view = useView();
  const { session } = useLive();
  const path = formatView(view).replace(/\?.*$/, "");
  const main = useRef<HTMLElement>(null);
  useFocusAfterMove(path, main);
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <header className="bar">
        <PageLink to={{ page: "overview", filter: {} }} className="brand">
          <img src={emblem} alt="" width="22" height="22" /> Mainstay
        </PageLink>
        <nav aria-label="Pages" className="places">
          <ul>
            {[...places, ...(session?.demo === true ? [faults] : [])].map(({ name, view: to, pages }) => (
              <li key={name}>
                <PageLink to={to} current={pages.includes(view.page) ? "page" : undefined}>
                  {name}
                </PageLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="bar-end">
          <output aria-label="Stream">
            <StreamWord />
          </output>
          <ThemeChoice />
        </div>
      </header>
      <FaultBanner />
      <main id="main" tabIndex={-1} ref={main}>
        <PageErrorBoundary key={path}>
          <CurrentPage view={view} />
        </PageErrorBoundary>
      </main>
      <Footer />
      <StaleBanner />
    </>
  );
}

/** Another page begins at its heading; another filter of the same page leaves the focus where it is. */
function useFocusAfterMove(path: string, main: RefObject<HTMLElement | null>): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    main.current?.querySelector("h1")?.focus({ preventScroll: true });
    scrollTo({ top: 0 });
  }, [path, main]);
}

function CurrentPage({ view }: { readonly view: View }) {
  // The manual needs neither the stream nor a token.
  if (view.page === "runbooks") return <RunbooksPage text={view.text} />;
  if (view.page === "runbook") return <RunbookPage reason={view.reason} />;
  if (view.page === "lost") return <NotFoundPage path={view.path} />;
  return <WithKnowledge>{(known) => <LivePage view={view} known={known} />}</WithKnowledge>;
}

type LiveView = Exclude<View, { readonly page: "runbooks" | "runbook" | "lost" }>;

function LivePage({ view, known }: { readonly view: LiveView; readonly known: Knowledge }) {
  switch (view.page) {
    case "overview":
      return <OverviewPage known={known} filter={view.filter} />;
    case "object":
      return <ObjectPage known={known} object={view.object} />;
    case "plan-log":
      return <PlanLogPage known={known} filter={view.filter} />;
    case "manager":
      return <ManagerPage known={known} />;
    case "faults":
      return <FaultsPage known={known} />;
  }
}

function WithKnowledge({ children }: { readonly children: (known: Knowledge) => ReactNode }) {
  const { known, link } = useLive();
  if (link.status === "token-needed") return <TokenForm failure={link.failure} />;
  if (known !== undefined) return children(known);
  return (
    <>
      <PageHeading title="Connecting" />
      <p className="soft" aria-busy="true">
        Asking the server what it knows.
      </p>
      {link.status !== "live" && link.failure !== undefined ? <FailureNote failure={link.failure} /> : null}
    </>
  );
}

function Footer() {
  const { session } = useLive();
  const live = useConnection();
  if (session === undefined) return <footer className="footer small soft" />;
  return (
    <footer className="footer small soft">
      {session.version === "" ? null : <span>Mainstay {session.version}</span>}
      {session.demo ? <span>A demonstration: everything here is simulated and gone when it stops.</span> : null}
      {session.tokenNeeded && session.user !== undefined ? (
        <>
          <span>Signed in as {session.user}</span>
          <button type="button" onClick={() => live.forgetToken()}>
            Sign out
          </button>
        </>
      ) : null}
    </footer>
  );
}
