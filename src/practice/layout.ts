/** The HTML around every page of the practice site, and its one style sheet. */

/** `title` and `body` are HTML already. */
export function htmlPage(title: string, body: string, headExtra = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/assets/site.css">
${headExtra}</head>
<body>
${body}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export const siteCss = `:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #17191c);
  --ink: light-dark(#22262b, #e4e2dc);
  --faint: light-dark(#666b72, #989da5);
  --line: light-dark(#dedbd2, #33373d);
  --accent: light-dark(#a3431c, #f0a070);
}
* { box-sizing: border-box; }
body {
  margin: 0 auto;
  max-width: 46rem;
  padding: 2rem 1.25rem 4rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif;
}
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 0.5rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: 0.15em; }
code { font: 0.9em ui-monospace, monospace; }
.faint { color: var(--faint); }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid var(--line); padding: 0.4rem 0; vertical-align: top; }
td:first-child { padding-right: 1.5rem; white-space: nowrap; }
img { display: block; height: auto; max-width: 100%; border-radius: 0.4rem; }
nav { display: flex; gap: 1rem; margin: 0 0 1.5rem; }
label { display: block; margin: 0 0 0.75rem; }
input { display: block; font: inherit; padding: 0.35rem 0.5rem; }
button { font: inherit; padding: 0.4rem 1.2rem; }
@media (max-width: 30rem) {
  td { display: block; }
  td:first-child { padding-bottom: 0; white-space: normal; }
  td + td { border-top: 0; padding-top: 0; }
}
`
