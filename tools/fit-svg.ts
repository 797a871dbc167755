/** Decimal logarithms of a rank and of the monthly visits. */
interface Point {
  readonly x: number;
  readonly y: number;
}

interface Lines {
  line: (knots: readonly number[], values: readonly number[], x: number) => number;
  knots: readonly number[];
  bandKnots: readonly number[];
  lists: number;
}

/** The held-out rows, the curve, its own 80 % interval, and the published one. */
export function drawFit(rows: readonly Point[], fitted: { curve: number[]; low: number[]; high: number[] }, lines: Lines): string {
  const [width, height, left, bottom] = [820, 520, 70, 50];
  const px = (x: number) => (left + (x / 7.8) * (width - left - 20)).toFixed(1);
  const py = (y: number) => (height - bottom - ((y - 1) / 10) * (height - bottom - 20)).toFixed(1);
  const xs = Array.from({ length: 79 }, (_, i) => i / 10);
  const at = (x: number) => lines.line(lines.knots, fitted.curve, x);
  const path = (f: (x: number) => number) => xs.map((x, i) => `${i ? 'L' : 'M'}${px(x)} ${py(f(x))}`).join('');
  const band = (lo: (x: number) => number, hi: (x: number) => number) =>
    `${path(hi)}${[...xs]
      .reverse()
      .map((x) => `L${px(x)} ${py(lo(x))}`)
      .join('')}Z`;
  const spread = lines.lists;
  const low = (x: number) => lines.line(lines.bandKnots, fitted.low, x);
  const high = (x: number) => lines.line(lines.bandKnots, fitted.high, x);
  const power = (n: number) => `10<tspan dy="-5" font-size="9">${n}</tspan>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="${width}" height="${height}" fill="#fff"/>
<path d="${band(
    (x) => at(x) - Math.hypot(low(x), spread),
    (x) => at(x) + Math.hypot(high(x), spread),
  )}" fill="#e8eef7"/>
<path d="${band(
    (x) => at(x) + low(x),
    (x) => at(x) + high(x),
  )}" fill="#b9cdea"/>
<g fill="#555" fill-opacity=".35">${rows.map((r) => `<circle cx="${px(r.x)}" cy="${py(r.y)}" r="1.3"/>`).join('')}</g>
<path d="${path(at)}" fill="none" stroke="#c0392b" stroke-width="1.6"/>
<g stroke="#333"><path d="M${left} ${py(1)}H${width - 20}M${left} ${py(1)}V20" fill="none"/></g>
${[0, 1, 2, 3, 4, 5, 6, 7].map((n) => `<text x="${px(n)}" y="${height - bottom + 20}" text-anchor="middle">${power(n)}</text>`).join('')}
${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => `<text x="${left - 10}" y="${Number(py(n)) + 4}" text-anchor="end">${power(n)}</text>`).join('')}
<text x="${width / 2}" y="${height - 8}" text-anchor="middle">global rank</text>
<text transform="translate(18 ${height / 2}) rotate(-90)" text-anchor="middle">visits a month</text>
<text x="${width - 30}" y="40" text-anchor="end">held-out rows, the curve, its own 80 % interval (dark), the published interval (light)</text>
</svg>
`;
}
