// The screen of a hall: reads the commentary aloud with the browser's own voice, when somebody has switched it on, and
// counts down to the next matchday.
import { onUpdate } from "./live.js";

const button = document.getElementById("speech");
const voice = window.speechSynthesis;
let said = null;

button.hidden = !voice;
button.addEventListener("click", () => {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  if (!on) voice.cancel();
});

onUpdate(({ speech }) => {
  if (!speech || speech.id === said) return;
  said = speech.id; // One sentence a move, and none of those that came while it was off.
  if (button.getAttribute("aria-pressed") !== "true") return;
  voice.cancel(); // Of an old move nobody wants to hear any more.
  const words = new SpeechSynthesisUtterance(speech.text);
  words.lang = document.documentElement.lang;
  voice.speak(words);
});

// The date is that of the wall, not of a game's clock.
setInterval(() => {
  for (const place of document.querySelectorAll(".stage-countdown")) {
    if (!(place instanceof HTMLElement)) continue;
    const left = Math.round(Number(place.dataset.until) - Date.now() / 1000);
    place.hidden = left <= 0 || left >= 86400;
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    place.textContent = (parts[0] ? parts : parts.slice(1))
      .map((part) => String(part).padStart(2, "0"))
      .join(":");
  }
}, 500);
