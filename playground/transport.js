// Playing films: one place for all lanes, counted in events, so that the lane with less to do is done first.

import { byId } from "./dom.js";

const WHOLE_FILM_MS = 5200; // at speed 1, whatever its length
const LEAST_A_SECOND = 12;
const PATH_MS = 900;

const number = new Intl.NumberFormat("en");

export class Transport {
  at = 0;
  length = 0;
  isPlaying = false;
  speed = 1;
  #then = 0;
  #pathBegan = null;
  #rest = 0;

  /** @param {import("./main.js").App} app */
  constructor(app, root = document) {
    this.app = app;
    const find = (id) => byId(id, root);
    this.playButton = find("button-play");
    this.scrubber = find("scrubber");
    this.count = find("film-count");
    this.speedSelect = find("speed");
    this.playButton.addEventListener("click", () => this.toggle());
    find("button-back").addEventListener("click", (event) => this.step(-1, event.shiftKey));
    find("button-step").addEventListener("click", (event) => this.step(1, event.shiftKey));
    this.scrubber.addEventListener("input", () => this.scrub(Number(this.scrubber.value)));
    this.speedSelect.addEventListener("change", () => (this.speed = Number(this.speedSelect.value)));
  }

  get isAtEnd() {
    return this.at >= this.length;
  }

  /** Films of other searches: their end is shown, or they are played from the beginning. */
  reset({ play = false } = {}) {
    this.length = Math.max(0, ...this.app.lanes.map((lane) => lane.film?.length ?? 0));
    this.scrubber.max = String(Math.max(this.length, 1));
    this.scrubber.disabled = this.length === 0;
    if (play && this.length > 0 && !this.app.settings.isStill) {
      this.#go(0);
      this.play();
    } else {
      this.pause();
      this.#go(this.length);
    }
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.isAtEnd) this.#go(0);
    this.isPlaying = true;
    this.#then = performance.now();
    this.#rest = 0;
    this.#show();
    requestAnimationFrame((now) => this.#frame(now));
  }

  pause() {
    this.isPlaying = false;
    this.#pathBegan = null;
    this.#show();
  }

  scrub(at) {
    this.pause();
    this.#go(at);
  }

  /** One event, or to the next expansion. */
  step(direction, isLong = false) {
    this.pause();
    const film = this.app.lanes.map((lane) => lane.film).find((film) => film && film.length === this.length);
    this.#go(isLong && film ? film.nextExpansion(this.at, direction) : this.at + direction);
  }

  #frame(now) {
    if (!this.isPlaying) return;
    const passed = Math.min(Math.max(now - this.#then, 0), 100);
    this.#then = now;
    if (this.isAtEnd) {
      this.#drawPath(now);
    } else {
      const rate = Math.max(this.length / WHOLE_FILM_MS, LEAST_A_SECOND / 1000) * this.speed;
      const forward = passed * rate + this.#rest;
      this.#rest = forward - Math.floor(forward);
      this.#go(Math.min(this.length, this.at + Math.floor(forward)));
      if (this.isAtEnd) this.#beginPath(now);
    }
    if (this.isPlaying) requestAnimationFrame((next) => this.#frame(next));
  }

  #beginPath(now) {
    this.#pathBegan = now;
    this.#share(0);
  }

  #drawPath(now) {
    this.#pathBegan ??= now;
    const t = Math.min(1, ((now - this.#pathBegan) / PATH_MS) * Math.max(this.speed, 0.5));
    this.#share(1 - (1 - t) ** 3);
    if (t === 1) {
      this.pause();
      this.app.filmEnded();
    }
  }

  #share(share) {
    for (const view of this.app.views) {
      view.pathShare = share;
      view.invalidate();
    }
  }

  #go(at) {
    this.at = Math.min(Math.max(at, 0), this.length);
    for (const view of this.app.views) {
      const length = view.film?.length ?? 0;
      view.seek(this.at);
      view.pathShare = this.at >= length ? 1 : 0;
    }
    this.scrubber.value = String(this.length === 0 ? 1 : this.at);
    this.#show();
    this.app.filmMoved();
  }

  #show() {
    this.playButton.dataset.playing = String(this.isPlaying);
    this.playButton.setAttribute("aria-label", this.isPlaying ? "Pause" : "Play");
    this.count.textContent = `${number.format(this.at)} / ${number.format(this.length)}`;
    const share = this.length ? (this.at / this.length) * 100 : 100;
    this.scrubber.style.setProperty("--share", `${share}%`);
    this.scrubber.setAttribute("aria-valuetext", `event ${this.at} of ${this.length}`);
  }
}
