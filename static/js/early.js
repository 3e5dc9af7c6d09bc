// Before the first paint: pages show only what works.
document.documentElement.classList.add("js", "share" in navigator ? "shares" : "js");
