// Whatever imports this runs only where early.js has found all that it needs.

if (!document.documentElement.classList.contains("js")) throw new Error("This browser is too old for the scripts of this site, which works without them.");
