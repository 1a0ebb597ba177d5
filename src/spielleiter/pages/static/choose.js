// The language of the browser, where it is one of ours.
location.replace(
  navigator.languages.find((language) => /^(de|en)\b/.test(language))?.startsWith("de")
    ? "de/index.html"
    : "en/index.html",
);
