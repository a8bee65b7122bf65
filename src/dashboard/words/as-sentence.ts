// Makes a sentence of a message. Pure.

/** Begins with a capital letter and ends with a full stop. A first word that is an identifier stays as it is. */
export function asSentence(message: string): string {
  const text = message.trim();
  if (text === "") return "";
  const begun = /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
