// Questions that run inside the page: what does not fit, and what cannot be read. Each answers with what it found, for people to look for.

/** Things that reach beyond the window's right edge, and the page itself when it can be pushed sideways. */
export const overflowing = `(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ["the page is " + document.documentElement.scrollWidth + " wide"] : [];
  const over = [...document.querySelectorAll("a, button, input, select, p, h1, h2, li, code")]
    .filter((element) => !element.closest(".visually-hidden, .skip-link") && element.getClientRects().length > 0)
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 1);
  return [...wide, ...over.map((element) => element.tagName + ": " + element.textContent.slice(0, 60))];
})()`;

/** Texts whose contrast to what lies behind them is less than 4.5 to 1. */
export const lowContrast = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || (colour.length === 4 && colour[3] === 1)) return colour;
    }
    return [255, 255, 255];
  };
  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) =>
      element.getClientRects().length > 0 &&
      !element.closest(".visually-hidden, .skip-link, svg, option") &&
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ""),
  );
  const contrast = (element) => {
    const [a, b] = [luminance(channels(getComputedStyle(element).color)), luminance(ground(element))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  return texts.filter((element) => contrast(element) < 4.5).map((element) => contrast(element).toFixed(1) + " " + element.textContent.slice(0, 60));
})()`;
