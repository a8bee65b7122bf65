// Starts the dashboard in the browser: the theme before anything is drawn, the live connection, the page.

import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Dashboard } from "./dashboard.tsx";
import { browserPorts } from "./live/browser-ports.ts";
import { LiveConnection } from "./live/live-connection.ts";
import { LiveProvider } from "./live/live-context.tsx";
import { chosenTheme, showTheme } from "./theme.ts";

showTheme(chosenTheme());

const live = new LiveConnection(browserPorts);
void live.start();
addEventListener("online", () => live.retryNow());

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no element #root");
createRoot(root).render(
  <StrictMode>
    <LiveProvider live={live}>
      <Dashboard />
    </LiveProvider>
  </StrictMode>,
);
