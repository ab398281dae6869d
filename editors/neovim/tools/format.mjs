// format.mjs [--write] FILE…: is the Lua formatted? With --write it is made so.
import { readFileSync, writeFileSync } from "node:fs";
import { Config, formatCode, IndentType, OutputVerification } from "@johnnymorganz/stylua";

function formatted(code) {
  const style = Config.new();
  style.column_width = 120;
  style.indent_type = IndentType.Spaces;
  style.indent_width = 2;
  return formatCode(code, style, undefined, OutputVerification.None);
}

const [write, files] = process.argv[2] === "--write" ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
for (const file of files) {
  const code = readFileSync(file, "utf8");
  const wanted = formatted(code);
  if (wanted === code) {
    continue;
  }
  if (write) {
    writeFileSync(file, wanted);
  } else {
    console.error(`${file}: not formatted; run \`make format\``);
    process.exitCode = 1;
  }
}
