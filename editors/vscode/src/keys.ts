/** API keys in the editor's secret storage. They reach the server as environment variables, and nothing else. */

import * as vscode from "vscode";

const NAMES = "teamwright.keyNames";
const PROVIDERS = [
  ["ANTHROPIC_API_KEY", "Anthropic (Claude)"],
  ["OPENAI_API_KEY", "OpenAI"],
  ["GEMINI_API_KEY", "Google (Gemini)"],
  ["OPENROUTER_API_KEY", "OpenRouter"],
  ["GROQ_API_KEY", "Groq"],
  ["XAI_API_KEY", "xAI (Grok)"],
] as const;

export class Keys {
  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly names: vscode.Memento,
  ) {}

  async environment(): Promise<NodeJS.ProcessEnv> {
    const pairs = await Promise.all(this.#known().map(async (name) => [name, await this.secrets.get(name)] as const));
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  }

  /** True if a key was stored or removed. */
  async askForKey(): Promise<boolean> {
    const known = this.#known();
    const other = { label: "Another variable…", description: "", name: "" };
    const items = PROVIDERS.map(([name, label]) => ({
      label,
      description: known.includes(name) ? `${name} · stored` : name,
      name,
    }));
    const picked = await vscode.window.showQuickPick([...items, other], { placeHolder: "Whose key?" });
    if (picked === undefined) return false;
    const name = picked.name || (await askForName());
    if (name === undefined) return false;
    const value = await vscode.window.showInputBox({
      prompt: `${name}: kept in this editor's secret storage. Leave it empty to remove a stored key.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (value === undefined) return false;
    await this.#store(name, value.trim());
    return true;
  }

  async #store(name: string, value: string): Promise<void> {
    const others = this.#known().filter((each) => each !== name);
    await (value === "" ? this.secrets.delete(name) : this.secrets.store(name, value));
    await this.names.update(NAMES, value === "" ? others : [...others, name]);
  }

  #known(): string[] {
    return this.names.get<string[]>(NAMES, []);
  }
}

function askForName(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    prompt: "Name of the environment variable",
    validateInput: (name) => (/^[A-Z][A-Z0-9_]*$/.test(name) ? undefined : "Capital letters, digits and underscores."),
  });
}
