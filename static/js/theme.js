// Light or dark. The choice is kept in a cookie, so that the next page already comes in it.

import { targetOf } from "./dom.js";

const YEAR = 365 * 24 * 60 * 60;

function shown() {
  const chosen = document.documentElement.dataset.theme;
  if (chosen) return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function watchTheme() {
  document.addEventListener("submit", (event) => {
    if (!targetOf(event).matches("[data-theme-form]")) return;
    event.preventDefault();
    const theme = shown() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme}; path=/; max-age=${YEAR}; samesite=lax`;
  });
}
