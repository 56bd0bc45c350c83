/* Says when 10, 5 and 0 minutes are left: to a screen reader always, by sound once somebody has turned it on on this device.
   <button data-clock-sound> turns it on and off. No picture moves. */
"use strict";

(() => {
  const KEY = "tiltyard-clock-sound";
  const TONES = { 10: [660], 5: [660, 660], 0: [880, 660, 880, 660] };
  let audio = null;

  const isOn = () => {
    try { return localStorage.getItem(KEY) === "on"; } catch { return audio !== null; }
  };
  const keep = (on) => {
    try { localStorage.setItem(KEY, on ? "on" : "off"); } catch { /* for this page only */ }
  };

  /* A browser lets a page sound only after somebody has touched it. */
  const wake = async () => {
    if (!isOn() || !window.AudioContext) return;
    if (audio === null) audio = new AudioContext();
    if (audio.state === "suspended") await audio.resume().catch(() => {});
    label();
  };

  const sound = (tones) => {
    if (audio === null || audio.state !== "running") return;
    tones.forEach((pitch, place) => {
      const start = audio.currentTime + place * 0.45;
      const tone = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
      const volume = new GainNode(audio, { gain: 0 });
      volume.gain.setValueAtTime(0, start);
      volume.gain.linearRampToValueAtTime(0.5, start + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, start + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + 0.42);
    });
  };

  const label = () => {
    const waits = isOn() && (audio === null || audio.state !== "running");
    const state = waits ? "on, once you have touched the page" : isOn() ? "on" : "off";
    for (const button of document.querySelectorAll("[data-clock-sound]")) {
      button.textContent = `Sound at 10, 5 and 0 minutes: ${state}`;
    }
  };

  let said = null;
  document.addEventListener("clock:mark", ({ detail: { minutes } }) => {
    if (said === null) {
      said = Object.assign(document.createElement("p"), { className: "visually-hidden" });
      said.setAttribute("role", "status");
      said.dataset.clockSaid = "";
      document.body.append(said);
    }
    said.textContent = minutes ? `${minutes} minutes left` : "Time";
    if (isOn()) sound(TONES[minutes]);
  });

  document.addEventListener("click", async (event) => {
    if (!event.target.closest("[data-clock-sound]")) return;
    keep(!isOn());
    await wake();
    if (isOn()) sound(TONES[10]);
    label();
  });
  for (const touch of ["pointerdown", "keydown"]) document.addEventListener(touch, wake, { passive: true });
  window.addEventListener("storage", (event) => { if (event.key === KEY) label(); });
  document.addEventListener("htmx:afterSettle", label);
  label();
})();
