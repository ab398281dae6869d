/** The server's life: found or set up, started, and started again when it dies. */

import { mkdir } from "node:fs/promises";
import type * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient, ResponseError, State } from "vscode-languageclient/node";
import type { CommandName, Commands } from "../protocol.gen.js";
import type { ServerStatus } from "../state.js";
import { type Hooks, newClient, protocolFault } from "./client.js";
import type { Launch } from "./locate.js";
import { SetupFault } from "./programs.js";
import { Backoff, Coalesced } from "./restarts.js";

const STOP_DEADLINE_MS = 3000;

export interface ServerOptions extends Hooks {
  log: vscode.LogOutputChannel;
  /** Given up when the signal says so: what is wanted has changed meanwhile. */
  locate: (outdated: AbortSignal) => Promise<Launch>;
  environment: () => Promise<NodeJS.ProcessEnv>;
  /** A folder of the extension's own. */
  home: string;
  onStatus: (status: ServerStatus) => void;
}

/** What the server answered instead of a result: a sentence for the user, and a code that is an HTTP status. */
export class RequestFault extends Error {
  constructor(
    message: string,
    readonly code: number,
  ) {
    super(message);
  }
}

export class Server implements vscode.Disposable {
  readonly #options: ServerOptions;
  readonly #starting = new Coalesced(() => this.#startAnew());
  readonly #backoff = new Backoff();
  #client: LanguageClient | undefined;
  #retry: NodeJS.Timeout | undefined;
  #outdated = new AbortController();
  #disposed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** On the user's word: whatever happened before does not count any more. */
  restart(): Promise<void> {
    this.#backoff.reset();
    this.#outdated.abort();
    return this.#starting.run();
  }

  async request<C extends CommandName>(command: C, params: Commands[C]["params"]): Promise<Commands[C]["result"]> {
    await this.#starting.idle();
    const client = this.#client;
    if (client === undefined || !client.isRunning()) {
      throw new RequestFault("Teamwright is not running. Restart the server, then try again.", 503);
    }
    try {
      return await client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [params] });
    } catch (fault) {
      // Ours are HTTP statuses; what is below zero is the connection's own, and says nothing to a user.
      if (fault instanceof ResponseError && fault.code > 0) throw new RequestFault(fault.message, fault.code);
      throw new RequestFault("The connection to Teamwright was lost. What it had recorded is kept.", 503);
    }
  }

  async #surroundings(): Promise<{ home: string; env: NodeJS.ProcessEnv }> {
    const { home } = this.#options;
    await mkdir(home, { recursive: true });
    return { home, env: await this.#options.environment() };
  }

  async sayTrusted(trusted: boolean): Promise<void> {
    await this.#client?.sendNotification("workspace/didChangeConfiguration", { settings: { teamwright: { trusted } } });
  }

  async stop(): Promise<void> {
    clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = undefined;
    if (client === undefined) return;
    try {
      await client.dispose(STOP_DEADLINE_MS);
    } catch (fault) {
      this.#options.log.warn(`The server did not stop in order: ${String(fault)}`);
    }
  }

  dispose(): void {
    this.#disposed = true;
    void this.stop();
  }

  async #startAnew(): Promise<void> {
    await this.stop();
    if (this.#disposed) return;
    const { onStatus, log } = this.#options;
    onStatus({ state: "starting", text: "Starting Teamwright" });
    this.#outdated = new AbortController();
    const { signal } = this.#outdated;
    try {
      const launch = await this.#options.locate(signal);
      log.info(`Starting ${launch.join(" ")}`);
      const client = newClient(launch, await this.#surroundings(), log, this.#options);
      this.#client = client;
      this.#backoff.started(Date.now());
      await client.start();
      const wrong = protocolFault(client);
      if (wrong !== null) throw new SetupFault(wrong, "Update the extension and the server to the same version.");
      client.onDidChangeState(({ newState }) => {
        if (newState === State.Stopped && this.#client === client) this.#died();
      });
      onStatus({ state: "ready" });
    } catch (fault) {
      if (signal.aborted) log.info("Starting anew: the settings have changed.");
      else if (fault instanceof SetupFault) await this.#giveUp(fault.message, fault.hint);
      else this.#died(fault);
    }
  }

  #died(fault?: unknown): void {
    if (this.#disposed) return;
    this.#options.log.error(`The server ended unexpectedly. ${fault === undefined ? "" : String(fault)}`);
    const delay = this.#backoff.died(Date.now());
    if (delay === null) {
      void this.#giveUp(
        "Teamwright ended several times in a row.",
        "The log says why. Restart the server to try again.",
      );
      return;
    }
    this.#options.onStatus({ state: "restarting", text: "Teamwright ended unexpectedly and is started again" });
    this.#retry = setTimeout(() => void this.#starting.run(), delay);
  }

  async #giveUp(text: string, hint: string): Promise<void> {
    this.#options.log.error(`${text} ${hint}`);
    await this.stop();
    this.#options.onStatus({ state: "failed", text, hint });
  }
}
