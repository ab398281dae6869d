// lint.mjs [--write] FILE…: is the Lua formatted, and does it use no global by mistake? With --write it formats.
import { readFileSync, writeFileSync } from "node:fs";
import { Config, formatCode, IndentType, OutputVerification } from "@johnnymorganz/stylua";
import luaparse from "luaparse";

const GLOBALS = new Set(
  "assert debug io ipairs math next os package pairs pcall require setmetatable string table tonumber tostring type vim".split(" "),
);

function formatted(code) {
  const style = Config.new();
  style.column_width = 120;
  style.indent_type = IndentType.Spaces;
  style.indent_width = 2;
  return formatCode(code, style, undefined, OutputVerification.None);
}

function strangers(code) {
  // The parser counts bytes, as Lua does.
  const tree = luaparse.parse(Buffer.from(code).toString("latin1"), { scope: true, luaVersion: "LuaJIT" });
  return tree.globals.map((each) => each.name).filter((name) => !GLOBALS.has(name));
}

const [write, files] = process.argv[2] === "--write" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
for (const file of files) {
  const code = readFileSync(file, "utf8");
  const wanted = formatted(code);
  if (wanted !== code && write) {
    writeFileSync(file, wanted);
  }
  const faults = strangers(wanted).map((name) => `unknown global ${name}`);
  if (wanted !== code && !write) {
    faults.push("not formatted; run `make format`");
  }
  for (const fault of faults) {
    console.error(`${file}: ${fault}`);
    process.exitCode = 1;
  }
}
