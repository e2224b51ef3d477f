// `node scripts/picture.mjs < terminal-output > picture.svg`: a terminal's text, colours included, as an SVG picture for the README.
const colours = { 31: '#f38ba8', 32: '#a6e3a1', 33: '#f9e2af', 36: '#94e2d5', 90: '#7f849c' };
const lineHeight = 19;
const charWidth = 8.43;
const margin = 20;

let text = '';
for await (const chunk of process.stdin) text += chunk;
const lines = text.replace(/\n+$/, '').split('\n');
const columns = Math.max(...lines.map((line) => line.replace(/\u001b\[[0-9;]*m/g, '').length));
const width = Math.ceil(columns * charWidth + 2 * margin);
const height = lines.length * lineHeight + 2 * margin;

const rows = lines.map((line, index) => `<text x="${margin}" y="${margin + 14 + index * lineHeight}" xml:space="preserve">${spans(line)}</text>`);
process.stdout.write(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Terminal output">
<rect width="100%" height="100%" rx="8" fill="#1e1e2e"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#cdd6f4">
${rows.join('\n')}
</g>
</svg>
`);

/** One tspan per run of equal style; columns are placed by hand, so that no font's width matters. */
function spans(line) {
  let style = { fill: null, bold: false, dim: false };
  let column = 0;
  let out = '';
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (part.startsWith('\u001b')) {
      style = part.slice(2, -1).split(';').reduce(applyCode, style);
      continue;
    }
    if (part === '') continue;
    const look = [style.fill === null ? '' : ` fill="${style.fill}"`, style.bold ? ' font-weight="bold"' : '', style.dim ? ' opacity="0.65"' : ''].join('');
    out += `<tspan x="${(margin + column * charWidth).toFixed(1)}" textLength="${(part.length * charWidth).toFixed(1)}"${look}>${escape(part)}</tspan>`;
    column += part.length;
  }
  return out;
}

function applyCode(style, code) {
  if (code === '' || code === '0') return { fill: null, bold: false, dim: false };
  if (code === '1') return { ...style, bold: true };
  if (code === '2') return { ...style, dim: true };
  if (code === '22') return { ...style, bold: false, dim: false };
  if (code === '39') return { ...style, fill: null };
  return { ...style, fill: colours[code] ?? style.fill };
}

function escape(part) {
  return part.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
