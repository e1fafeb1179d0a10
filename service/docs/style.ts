const stacked = (table: string) => `
${table} :is(tbody, tr, td, th) { display: block; inline-size: auto; padding: 0; }
${table} tbody tr { padding-block: 11px; }
${table} tbody :is(th, .kind) { display: inline; margin-inline-end: 8px; }`

/** Allowed by its hash in the page's policy. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f6f8f9;
  --panel: #fff;
  --line: #dde4e7;
  --text: #0f1c21;
  --dim: #546369;
  --accent: #0b7285;
  --soft: #ddf0f3;
  --warn: #845400;
  --code: #10202a;
  --code-line: transparent;
  --code-text: #dbe7ec;
  --code-key: #7fd6e4;
  --code-value: #b9e6a5;
  --code-word: #f3c77c;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0d1316;
    --panel: #141b1f;
    --line: #27333a;
    --text: #e3ebee;
    --dim: #97a7ae;
    --accent: #59cfe0;
    --soft: #12333a;
    --warn: #f0c05a;
    --code: #090e11;
    --code-line: #1f2a30;
  }
}
*, *::before, *::after { box-sizing: border-box; margin: 0; padding: 0; }
html { scroll-behavior: smooth; scroll-padding-block-start: 24px; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  display: grid;
  grid-template-columns: 216px minmax(0, 1fr);
  max-inline-size: 1480px;
  margin-inline: auto;
  background: var(--page);
  color: var(--text);
  font: 15px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  -webkit-text-size-adjust: 100%;
}
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code { font-family: var(--mono); font-size: 0.87em; overflow-wrap: anywhere; }
.skip { position: absolute; inset-inline-start: -999px; }
.skip:focus { inset-inline-start: 16px; inset-block-start: 8px; background: var(--panel); padding: 8px 12px; z-index: 1; }
.dim { color: var(--dim); }

header {
  position: sticky;
  inset-block-start: 0;
  block-size: 100vh;
  overflow-y: auto;
  padding: 28px 20px;
  border-inline-end: 1px solid var(--line);
}
.brand {
  display: flex;
  align-items: center;
  gap: 10px;
  margin-block-end: 24px;
  color: inherit;
  font-size: 17px;
  font-weight: 650;
}
.brand:hover { text-decoration: none; }
.brand svg { inline-size: 28px; block-size: 28px; }
nav { font-size: 14px; }
nav p { margin-block: 18px 4px; font-weight: 600; }
nav p + p { margin-block-start: 6px; }
nav ul { list-style: none; }
nav a { color: var(--dim); }
nav p a { color: var(--text); }
nav li a { display: block; padding: 3px 10px; margin-inline-start: -10px; border-radius: 6px; }
nav li a:hover { background: var(--soft); color: var(--accent); text-decoration: none; }

main { min-inline-size: 0; padding: 40px clamp(20px, 3vw, 56px) 96px; }
main > section + section { margin-block-start: 72px; }
h1 { font-size: 32px; line-height: 1.2; letter-spacing: -0.02em; }
h2 { font-size: 24px; letter-spacing: -0.01em; margin-block-end: 8px; }
h3 { font-size: 19px; letter-spacing: -0.01em; }
h4, caption {
  color: var(--dim);
  font-size: 12px;
  font-weight: 600;
  letter-spacing: 0.06em;
  text-align: start;
  text-transform: uppercase;
}
.lead { margin-block: 6px 18px; color: var(--dim); font-size: 18px; }
main p { max-inline-size: 68ch; }
p + p { margin-block-start: 10px; }
.anchor { padding-inline: 8px; color: var(--dim); font-weight: 400; opacity: 0; }
:is(h2, h3):hover .anchor, .anchor:focus-visible { opacity: 1; }

dl { margin-block-start: 24px; border-block: 1px solid var(--line); }
dl div { display: grid; grid-template-columns: 120px 1fr; padding-block: 9px; }
dl div + div { border-block-start: 1px solid var(--line); }
dt { color: var(--dim); }
dd > code { margin-inline-end: 6px; }

article {
  display: grid;
  grid-template-columns: minmax(0, 1fr) minmax(0, 44%);
  gap: 16px 32px;
  margin-block-start: 36px;
  padding-block-start: 32px;
  border-block-start: 1px solid var(--line);
}
.path { display: flex; align-items: baseline; gap: 10px; margin-block: 6px 12px; color: var(--dim); }
.method {
  padding: 1px 8px;
  border-radius: 6px;
  background: var(--soft);
  color: var(--accent);
  font: 600 12px/1.6 var(--mono);
}
.text > :is(table, details, h4), .text > .dim { margin-block-start: 22px; }
.text > details + details { margin-block-start: 6px; }

table { inline-size: 100%; border-collapse: collapse; font-size: 14px; line-height: 1.5; }
caption { padding-block-end: 6px; }
thead { position: absolute; clip-path: inset(50%); }
:is(th, td) { padding-block: 10px; vertical-align: top; text-align: start; font-weight: 400; }
tr { border-block-start: 1px solid var(--line); }
tbody th { inline-size: 33%; padding-inline-end: 12px; }
tbody th code { font-weight: 600; font-size: 13px; }
.kind { inline-size: 20%; padding-inline-end: 12px; color: var(--dim); font-size: 13px; }
.kind span, .required, .optional { display: block; font-size: 12px; }
.stacked .optional { display: inline; margin-inline-start: 8px; }
.required { color: var(--warn); }
.optional { color: var(--dim); }
${stacked('.stacked')}
tr:target { background: var(--soft); }
details table { margin-block-start: 8px; }
summary { color: var(--accent); cursor: pointer; font-size: 14px; }

.chips { display: flex; flex-wrap: wrap; gap: 6px; margin-block-start: 8px; }
.chips a { padding: 2px 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--panel); font-size: 12px; line-height: 1.6; }
.chips a:hover { border-color: var(--accent); text-decoration: none; }

.sample { position: sticky; inset-block-start: 24px; align-self: start; }
.sample h4 { margin-block-end: 6px; }
.sample pre + h4 { margin-block-start: 18px; }
pre {
  max-block-size: 60vh;
  overflow: auto;
  padding: 14px 16px;
  border: 1px solid var(--code-line);
  border-radius: 10px;
  background: var(--code);
  color: var(--code-text);
  font-size: 12px;
  line-height: 1.65;
}
pre code { font-size: inherit; overflow-wrap: normal; }
.key { color: var(--code-key); }
.string { color: var(--code-value); }
.word { color: var(--code-word); }

@media (max-width: 1080px) {
  article { grid-template-columns: minmax(0, 1fr); }
  .sample { position: static; }
  pre { max-block-size: 420px; }
}
@media (max-width: 760px) {
  body { display: block; }
  header { position: static; block-size: auto; padding: 20px; border-inline-end: 0; border-block-end: 1px solid var(--line); }
  .brand { margin-block-end: 8px; }
  nav { display: grid; grid-template-columns: 1fr 1fr; gap: 0 16px; }
  nav p, nav p + p { margin-block-start: 10px; }
  main { padding-block-start: 28px; }
  h1 { font-size: 27px; }
  dl div { grid-template-columns: 1fr; }
  ${stacked('table')}
  .kind span, .required { display: inline; }
  .required { margin-inline-start: 8px; }
  .kind span::before { content: ", "; }
  .anchor { opacity: 1; }
}
@media print {
  body { display: block; }
  header { display: none; }
  pre { max-block-size: none; }
}
`
