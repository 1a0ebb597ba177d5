// The screen of a hall: reads the commentary aloud with the browser's own voice, when somebody has switched it on.
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
