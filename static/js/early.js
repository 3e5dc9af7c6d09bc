// Before the first paint: pages show only what works. Scripts run only where the browser has all that they need, of which
// the newest is asked for here; an older one gets the page that needs no scripts.
const { documentElement: page } = document;
if (CSS.supports("selector(:has(a))") && CSS.supports("color: color-mix(in srgb, red, blue)") && matchMedia("(width > 0px)").matches)
  page.classList.add("js", "share" in navigator ? "shares" : "js");
else page.setAttribute("hx-disable", "");
