// Bundles the page and writes it as C++ (src/dashboard/assets.h): node build.mjs OUTPUT.cc
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const source = process.env.BASALT_UI_SOURCE ?? here;
const output = process.argv[2] ?? "assets.cc";

const bundle = await build({
  entryPoints: [join(source, "src/main.tsx")],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  nodePaths: [join(here, "node_modules")],
  outdir: "out",
  write: false,
  legalComments: "inline",
  logLevel: "warning",
});
const files = [
  ["/", "text/html; charset=utf-8", readFileSync(join(source, "index.html"))],
  ["/icon.svg", "image/svg+xml", readFileSync(join(source, "icon.svg"))],
];
for (const file of bundle.outputFiles) {
  const script = file.path.endsWith(".js");
  files.push([script ? "/app.js" : "/app.css",
    script ? "text/javascript; charset=utf-8" : "text/css; charset=utf-8", file.contents]);
}

// Octal escapes of three digits end where they should, whatever follows.
function literal(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 4096) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 4096)) {
      const c = String.fromCharCode(byte);
      line += /[A-Za-z0-9 _.,;:(){}\[\]<>=+*\/&|!#%-]/.test(c)
        ? c : "\\" + byte.toString(8).padStart(3, "0");
    }
    lines.push(`    "${line}"`);
  }
  return lines.length > 0 ? lines.join("\n") : '    ""';
}

let text = '#include "dashboard/assets.h"\n\nnamespace basalt::dashboard {\nnamespace {\n\n';
text += "using namespace std::string_view_literals;\n\n";
text += "constexpr Asset kAssets[] = {\n";
for (const [path, type, content] of files) {
  text += `  {"${path}", "${type}",\n${literal(content)}""sv},\n`;
}
text += "};\n\n}  // namespace\n\nstd::span<const Asset> Assets() { return kAssets; }\n\n";
text += "}  // namespace basalt::dashboard\n";
writeFileSync(output, text);
