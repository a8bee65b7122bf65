// How much a reason matters, as a word, a shape and a tone. Pure.

export const severities = {
  info: { shape: "check", tone: "unknown", word: "News" },
  warning: { shape: "alert", tone: "wait", word: "Needs attention" },
  error: { shape: "alert", tone: "bad", word: "Keeps something from working" },
} as const;
