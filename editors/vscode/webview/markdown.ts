/** Markdown from models: no raw HTML, no images, only links that are safe to follow, code with its colours. */

import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";

type Token = ReturnType<MarkdownIt["parse"]>[number];

const CACHED = 200;
const known = new Map<string, string>();

const markdown: MarkdownIt = new MarkdownIt({ html: false, linkify: true, breaks: false, typographer: false });
markdown.disable("image");
markdown.validateLink = (href) => /^(https?:\/\/|[^:]*$|[^:]+:\d+$)/i.test(href.trim());
markdown.renderer.rules.fence = (tokens, index) => fence(tokens[index]);
markdown.renderer.rules.code_block = (tokens, index) => fence(tokens[index]);

/** One piece of HTML a block of the text: while it streams, only the last ones change. */
export function renderBlocks(text: string): string[] {
  const env = {};
  const blocks: string[] = [];
  let open: Token[] = [];
  for (const token of markdown.parse(text, env)) {
    open.push(token);
    if (token.level === 0 && token.nesting <= 0) {
      blocks.push(markdown.renderer.render(open, markdown.options, env));
      open = [];
    }
  }
  return blocks;
}

function fence(token: Token | undefined): string {
  if (token === undefined) return "";
  const language = token.info.trim().split(/\s+/)[0] ?? "";
  const button = (action: string, icon: string, label: string) =>
    `<button class="icon-button" type="button" data-action="${action}" title="${label}" aria-label="${label}">` +
    `<span class="codicon codicon-${icon}" aria-hidden="true"></span></button>`;
  return (
    `<div class="code-block"><div class="code-head"><span>${escaped(language)}</span><span class="grow"></span>` +
    button("copy", "copy", "Copy code") +
    button("insert", "insert", "Insert at cursor") +
    button("applyCode", "git-pull-request-go-to-changes", "Apply to the editor") +
    `</div><pre tabindex="0"><code>${coloured(token.content, language)}</code></pre></div>`
  );
}

/** As HTML that is safe to show: everything in it is escaped but the colours. */
export function coloured(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escaped(code);
  const key = `${language}\n${code}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const html = hljs.highlight(code, { language, ignoreIllegals: true }).value;
  const oldest = known.keys().next().value;
  if (known.size >= CACHED && oldest !== undefined) known.delete(oldest);
  known.set(key, html);
  return html;
}

function escaped(text: string): string {
  return markdown.utils.escapeHtml(text);
}
