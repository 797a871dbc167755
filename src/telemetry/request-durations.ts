import { Histogram, type Registry } from 'prom-client';

type Labels = 'operation' | 'status';
interface Series {
  readonly labels: { readonly operation: string; readonly status: number };
  /** By bucket, not cumulative; the last counts what is above all bounds. */
  readonly counts: number[];
  sum: number;
  count: number;
}

/** A histogram whose observations cost no look-up by a text of all labels: every request makes one. Series are read at each scrape. */
export class RequestDurations extends Histogram<Labels> {
  readonly #name: string;
  readonly #help: string;
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Map<number, Series>>();

  /** `bounds`: upper bounds in seconds, ascending. */
  constructor(name: string, help: string, bounds: readonly number[], registry: Registry) {
    super({ name, help, labelNames: ['operation', 'status'], buckets: [...bounds], registers: [registry] });
    this.#name = name;
    this.#help = help;
    this.#bounds = bounds;
  }

  record(operation: string, status: number, seconds: number): void {
    const series = this.#of(operation, status);
    let bucket = 0;
    while (bucket < this.#bounds.length && seconds > (this.#bounds[bucket] as number)) bucket++;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sum += seconds;
    series.count++;
  }

  #of(operation: string, status: number): Series {
    let byStatus = this.#series.get(operation);
    if (!byStatus) {
      byStatus = new Map();
      this.#series.set(operation, byStatus);
    }
    let series = byStatus.get(status);
    if (!series) {
      series = { labels: { operation, status }, counts: new Array(this.#bounds.length + 1).fill(0), sum: 0, count: 0 };
      byStatus.set(status, series);
    }
    return series;
  }

  /** prom-client reads every metric by this method, which its types leave out. */
  async getForPromString() {
    const values = [...this.#series.values()].flatMap((byStatus) => [...byStatus.values()].flatMap((series) => this.#valuesOf(series)));
    return { name: this.#name, help: this.#help, type: 'histogram', aggregator: 'sum', values };
  }

  #valuesOf({ labels, counts, sum, count }: Series) {
    let total = 0;
    const bucket = (le: number | string, value: number) => ({ labels: { le, ...labels }, value, metricName: `${this.#name}_bucket` });
    return [
      ...this.#bounds.map((le, i) => {
        total += counts[i] as number;
        return bucket(le, total);
      }),
      bucket('+Inf', count),
      { labels, value: sum, metricName: `${this.#name}_sum` },
      { labels, value: count, metricName: `${this.#name}_count` },
    ];
  }
}
