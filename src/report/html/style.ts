/**
 * How the report looks: light or dark as the reader's system wants, or as the button says; on paper
 * always light. Every colour is a variable with a value for each of the two.
 */

const colours = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f8, #11151a);
  --surface: light-dark(#ffffff, #191f27);
  --raised: light-dark(#f0f2f5, #222a34);
  --rule: light-dark(#dfe3e8, #303a46);
  --ink: light-dark(#17202b, #e8ecf1);
  --quiet: light-dark(#55606e, #a5b0bd);
  --accent: light-dark(#1f56c0, #8bb2f8);
  --pass: light-dark(#11694f, #5fd0a6);
  --warn: light-dark(#865200, #eeb552);
  --fail: light-dark(#b02a1a, #f6887a);
  --pass-ground: light-dark(#e6f4ee, #14302a);
  --warn-ground: light-dark(#fdf2dc, #35290f);
  --fail-ground: light-dark(#fcebe8, #3b1d1a);
  --done: light-dark(#127464, #45c2ac);
  --offered: light-dark(#5d6875, #a9b4c1);
  --p50: light-dark(#5c8fdf, #5585d6);
  --p90: light-dark(#2c5fc3, #8ab2f6);
  --p99: light-dark(#132f6d, #d5e4ff);
  --service: light-dark(#bb5112, #f49a5e);
  --flight: light-dark(#7249b8, #b798ef);
  --error: light-dark(#bd2f1e, #f37663);
  --dropped: light-dark(#9a5b00, #eaa845);
  --watched: light-dark(#127464, #45c2ac);
  --h1: light-dark(#d9e5fa, #1f2f50);
  --h2: light-dark(#b7cdf4, #28427a);
  --h3: light-dark(#8fb1ec, #335aa5);
  --h4: light-dark(#6391e0, #4878ce);
  --h5: light-dark(#3a6fce, #6f9dea);
  --h6: light-dark(#214f9f, #a3c3f8);
  --h7: light-dark(#102e68, #e3edff);
  --dns: light-dark(#6b48ae, #b9a0ea);
  --connect: light-dark(#1f629c, #80bbeb);
  --tls: light-dark(#855700, #e2b456);
  --first: light-dark(#19755a, #72d2b1);
  --transfer: light-dark(#a5385c, #f09db7);
  --on-phase: light-dark(#ffffff, #10151b);
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
`

const page = `
*, *::before, *::after { box-sizing: border-box; }
html { scroll-padding-top: 64px; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
main, .bar-inside, footer { max-width: 1120px; margin: 0 auto; padding: 0 24px; }
h1, h2, h3, p, ul, dl, dd, figure { margin: 0; padding: 0; }
h1 { font-size: 28px; line-height: 1.25; letter-spacing: -0.01em; font-weight: 650; }
h2 { font-size: 20px; line-height: 1.3; font-weight: 650; letter-spacing: -0.005em; }
h3 { font-size: 15px; font-weight: 600; }
a { color: var(--accent); }
small { font-size: 13px; color: var(--quiet); font-weight: 400; }
.quiet { color: var(--quiet); font-weight: 400; }
.hidden, .skip:not(:focus) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}
.skip:focus { position: fixed; top: 8px; left: 8px; z-index: 3; padding: 8px 12px; background: var(--surface); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.top { position: sticky; top: 0; z-index: 2; background: var(--surface); border-bottom: 1px solid var(--rule); }
.bar-inside { display: flex; align-items: center; gap: 20px; height: 52px; }
.brand { font-weight: 700; letter-spacing: -0.01em; display: flex; align-items: center; gap: 8px; flex: none; }
.brand svg { display: block; }
nav { flex: 1; min-width: 0; overflow-x: auto; scrollbar-width: none; }
nav ul { display: flex; gap: 18px; list-style: none; font-size: 14px; white-space: nowrap; padding: 4px 2px; }
nav a { color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; text-underline-offset: 4px; }
button {
  font: inherit; font-size: 14px; color: var(--ink); background: var(--surface); flex: none;
  border: 1px solid var(--rule); border-radius: 8px; padding: 5px 12px; cursor: pointer;
}
button:hover { background: var(--raised); }
.title { padding: 36px 0 20px; display: grid; gap: 6px; }
.title p { color: var(--quiet); }
section { margin: 40px 0 0; display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px; }
section > p { color: var(--quiet); max-width: 90ch; font-size: 14px; margin-top: -6px; }
footer { padding-top: 40px; padding-bottom: 48px; color: var(--quiet); font-size: 14px; }
footer h2 { font-size: 15px; color: var(--ink); margin-bottom: 8px; }
footer dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 20px; }
footer dt { color: var(--ink); }
footer > p { margin-top: 20px; }
`

const head = `
.verdict {
  margin: 0; display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 16px; align-items: start;
  border-radius: 12px; padding: 18px 20px; border: 1px solid; max-width: none;
}
.verdict.pass { background: var(--pass-ground); border-color: var(--pass); }
.verdict.warn { background: var(--warn-ground); border-color: var(--warn); }
.verdict.fail { background: var(--fail-ground); border-color: var(--fail); }
.verdict .sign {
  width: 32px; height: 32px; border-radius: 50%; display: grid; place-items: center;
  font-weight: 700; font-size: 18px; line-height: 1; color: var(--surface);
}
.pass > .sign { background: var(--pass); } .warn > .sign { background: var(--warn); } .fail > .sign { background: var(--fail); }
.verdict .word { font-size: 20px; font-weight: 650; line-height: 32px; }
.verdict.pass .word { color: var(--pass); } .verdict.warn .word { color: var(--warn); } .verdict.fail .word { color: var(--fail); }
.verdict p + p { max-width: 86ch; }
.tiles { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); gap: 12px; margin-top: 14px; }
.tile { background: var(--surface); border: 1px solid var(--rule); border-radius: 12px; padding: 14px 16px; min-width: 0; }
.tile dt { font-size: 13px; color: var(--quiet); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.tile dd { font-size: 23px; font-weight: 650; letter-spacing: -0.02em; line-height: 1.35; white-space: nowrap; }
.tile dd small { display: block; letter-spacing: 0; overflow: hidden; text-overflow: ellipsis; }
.tile.bad dd { color: var(--fail); }
.warnings { margin-top: 14px; border: 1px solid var(--rule); border-left: 4px solid var(--warn); border-radius: 8px; background: var(--surface); padding: 14px 18px; gap: 6px; }
.warnings h2 { font-size: 15px; color: var(--warn); }
.warnings ul { padding-left: 18px; display: grid; gap: 4px; }
.mark { font-weight: 600; white-space: nowrap; }
.mark.pass { color: var(--pass); } .mark.fail { color: var(--fail); } .mark.none { color: var(--quiet); }
.card, .facts { background: var(--surface); border: 1px solid var(--rule); border-radius: 12px; padding: 16px 20px; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 12px 24px; }
.facts dt { font-size: 13px; color: var(--quiet); }
td.bad { color: var(--fail); font-weight: 600; }
`

const charts = `
.chart { background: var(--surface); border: 1px solid var(--rule); border-radius: 12px; padding: 16px 0 12px 12px; min-width: 0; }
.stacked { display: grid; grid-template-columns: minmax(0, 1fr); gap: 12px; }
figcaption { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 20px; padding: 0 20px 4px 8px; }
figcaption p { flex-basis: 100%; font-size: 13px; color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 16px; list-style: none; font-size: 13px; color: var(--quiet); margin-left: auto; }
.legend li { display: flex; align-items: center; gap: 6px; }
.legend > svg, .legend > span { display: block; }
div.legend { gap: 8px; }
.legend output { color: var(--ink); font-weight: 600; }
.legend output:empty { display: none; }
.key { flex: none; vertical-align: -1px; margin-right: 8px; }
.legend .key { margin: 0; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); padding: 8px 26px 0 0; }
.plot svg { display: block; overflow: visible; }
.plot text { font-size: 12px; fill: var(--quiet); }
.axis text { text-anchor: end; }
.plot .x { text-anchor: middle; } .plot .x.start { text-anchor: start; } .plot .x.end { text-anchor: end; }
.plot .note { text-anchor: middle; font-size: 11px; } .plot .note.end { text-anchor: end; }
.plot .empty { text-anchor: middle; font-size: 14px; }
.grid, .tick { stroke: var(--rule); stroke-width: 1; shape-rendering: crispEdges; }
.plot path, .key line { fill: none; stroke-width: 1.75; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.plot path.dashed, .key .dashed { stroke-dasharray: 5 3; }
.warm-up, .loose { fill: var(--raised); }
${rules('.plot .s-# , .key .s-#', 'stroke', [
  ...['done', 'offered', 'p50', 'p90', 'p99', 'service', 'flight', 'error', 'dropped', 'watched'],
])}
${rules('.plot .f-#', 'fill-opacity: 0.16; fill', ['done', 'p90', 'p99', 'flight', 'error'])}
${rules('.plot .h#, .legend .h#', 'fill', ['1', '2', '3', '4', '5', '6', '7'], 'h')}
${rules('.ph-#', 'fill', ['dns', 'connect', 'tls', 'first', 'transfer'])}
.ph-text { fill: var(--on-phase); font-size: 12px; font-weight: 600; text-anchor: middle; }
.stack { display: block; border-radius: 6px; }
.live .uplot { font: inherit; }
.live .u-select { background: var(--accent); opacity: 0.15; }
.live .u-hz .u-cursor-x, .live .u-hz .u-cursor-y { border-color: var(--quiet); }
.live:focus-visible { outline-offset: -2px; }
.is-live .still { display: none; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 320px; gap: 16px; align-items: start; }
`

const tables = `
.scroll { overflow-x: auto; background: var(--surface); border: 1px solid var(--rule); border-radius: 12px; max-width: 100%; }
.scroll.tall { max-height: 560px; overflow-y: auto; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 16px; align-items: start; }
table { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 14px; }
caption { text-align: left; font-size: 13px; color: var(--quiet); padding: 12px 16px 8px; }
th, td { padding: 7px 10px; text-align: left; vertical-align: top; border-top: 1px solid var(--rule); font-weight: 400; }
th:first-child, td:first-child { padding-left: 16px; } th:last-child, td:last-child { padding-right: 16px; }
thead th { overflow-wrap: normal; font-size: 13px; font-weight: 600; vertical-align: bottom; background: var(--raised); white-space: nowrap; }
.tall th, .tall td { font-size: 13px; padding: 6px 8px; }
.tall thead th { white-space: normal; position: sticky; top: 0; z-index: 1; }
tbody th { min-width: 130px; }
tbody td:not(.n):not(.bar) { min-width: 110px; }
.tall tbody th { position: sticky; left: 0; min-width: 210px; background: var(--surface); max-width: 320px; }
code { font: inherit; }
.n { text-align: right; white-space: nowrap; }
.bar { width: 26%; min-width: 80px; vertical-align: middle; }
.bar svg { display: block; }
.bar-done { fill: var(--done); } .bar-error { fill: var(--error); }
.example { color: var(--quiet); font-size: 13px; }
tbody tr:hover > * { background: var(--raised); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; font-size: 14px; color: var(--quiet); }
.tools[hidden] { display: none; }
input {
  font: inherit; font-size: 15px; color: var(--ink); background: var(--surface); width: 260px; max-width: 100%;
  border: 1px solid var(--quiet); border-radius: 8px; padding: 6px 10px; margin-left: 8px;
}
th button { text-align: inherit; border: 0; padding: 0; background: none; font: inherit; font-weight: 600; cursor: pointer; }
th button:hover { background: none; text-decoration: underline; text-underline-offset: 3px; }
th button::after { content: '\\00a0\\2195'; color: var(--quiet); font-weight: 400; }
th[aria-sort='ascending'] button::after { content: '\\00a0\\2191'; color: var(--accent); font-weight: 700; }
th[aria-sort='descending'] button::after { content: '\\00a0\\2193'; color: var(--accent); font-weight: 700; }
`

const places = `
@media (max-width: 960px) {
  .tiles { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .split { grid-template-columns: minmax(0, 1fr); }
}
@media (max-width: 600px) {
  main, .bar-inside, footer { padding-left: 16px; padding-right: 16px; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px; }
  .tile { padding: 10px 12px; } .tile dd { font-size: 20px; }
  .title { padding-top: 24px; } h1 { font-size: 22px; }
  .verdict { padding: 14px; gap: 12px; } .verdict .word { line-height: 1.3; padding: 3px 0; }
  .facts { grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); }
  #theme .wide { display: none; }
  .chart { padding: 12px 0 8px 4px; }
  .legend { margin-left: 0; }
  .plot .odd { display: none; }
  footer dl { grid-template-columns: minmax(0, 1fr); } footer dd { margin-bottom: 8px; }
  .tall tbody th { position: static; min-width: 140px; }
}
@media print {
  :root, :root[data-theme='dark'] { color-scheme: light; --page: #fff; }
  body { font-size: 11pt; }
  .top { position: static; } nav, #theme, .tools, .live, .hint { display: none !important; }
  .is-live .still { display: block; }
  main, .bar-inside, footer { max-width: none; padding-left: 0; padding-right: 0; }
  .scroll, .scroll.tall { overflow: visible; max-height: none; }
  .tall thead th, .tall tbody th { position: static; }
  table { font-size: 8.5pt; } th, td { padding: 4px 6px; } thead th { font-size: 8pt; white-space: normal; }
  tbody th, .tall tbody th { min-width: 0; }
  th button::after { content: ''; }
  figure, .tile, .verdict, tr { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
`

/** A rule for each name, which stands for `#` and is that of a variable. */
function rules(selectors: string, property: string, names: readonly string[], prefix = ''): string {
  return names
    .map((name) => `${selectors.replaceAll('#', name)} { ${property}: var(--${prefix}${name}); }`)
    .join('\n')
}

export const pageStyle: string = [colours, page, head, charts, tables, places].join('').trim()
