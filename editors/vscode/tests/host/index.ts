/** Runs the suites inside the real extension host, and writes what came of them where the starter looks for it. */

import { appendFileSync } from "node:fs";
import { format } from "node:util";
import Mocha from "mocha";

export function run(): Promise<void> {
  const report = process.env.TEAMWRIGHT_HOST_REPORT;
  if (report !== undefined) {
    Mocha.reporters.Base.consoleLog = (...line: unknown[]) => appendFileSync(report, `${format(...line)}\n`);
  }
  const mocha = new Mocha({ ui: "bdd", timeout: 60_000, color: false, forbidOnly: true, failZero: true });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  require("./suites.cjs");
  return new Promise((resolve, reject) => {
    mocha.run((failures) => (failures === 0 ? resolve() : reject(new Error(`${failures} tests failed`))));
  });
}
