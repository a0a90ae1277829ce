// What the page adds to the window, for type checks: main.js makes it, for tests and for curious readers at the console.

declare var octilePlayground: {
  app: import("./main.js").App;
  ready: Promise<void>;
  stats(): object;
};
