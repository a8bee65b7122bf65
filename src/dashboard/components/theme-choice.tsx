// The choice between light, dark and what the system says.

import { useState } from "react";
import { chooseTheme, chosenTheme, themes } from "../theme.ts";

const names = { system: "System theme", light: "Light", dark: "Dark" } as const;

export function ThemeChoice() {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <select
      aria-label="Theme"
      className="theme-choice"
      value={theme}
      onChange={({ target }) => {
        const next = themes.find((known) => known === target.value) ?? "system";
        chooseTheme(next);
        setTheme(next);
      }}
    >
      {themes.map((known) => (
        <option key={known} value={known}>
          {names[known]}
        </option>
      ))}
    </select>
  );
}
