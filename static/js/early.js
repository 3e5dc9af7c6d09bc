// Before the first paint, so that pages show only controls that work.
document.documentElement.classList.add("js", "share" in navigator ? "shares" : "js");
