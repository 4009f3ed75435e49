import { ClusterModel } from '../../core/trigger/testing/clusterModel';
import { failure, json, watchEvents, type Behaviour, type Exchange } from '../faults';

const ALL = { scope: '', app: undefined };

/** An API server for ConfigMaps on the wire, from a model of its history. Single answers can be replaced by worse ones. */
export class ConfigMapServer {
  readonly model = new ClusterModel();
  /** What the next windows of a watch, and the next pages of a list, are answered with. */
  readonly windows: Behaviour[] = [];
  readonly pages: Behaviour[] = [];
  /** Objects a page, whatever was asked for. */
  pageSize = 100;
  /** Windows that were answered well. */
  wellAnswered = 0;

  readonly behaviour: Behaviour = (exchange) => {
    const url = new URL(exchange.request.url, 'https://host.example');
    if (url.pathname.endsWith('/namespaces/kube-system')) {
      return json({ kind: 'Namespace', metadata: { name: 'kube-system', uid: this.model.uid } })(exchange);
    }
    if (!url.pathname.endsWith('/configmaps')) return failure(404, 'NotFound', 'not found')(exchange);
    if (url.searchParams.has('watch')) return this.watch(exchange, url.searchParams);
    return (this.pages.shift() ?? this.page)(exchange);
  };

  /** A page as it should be. */
  readonly page: Behaviour = (exchange) => {
    const query = new URL(exchange.request.url, 'https://host.example').searchParams;
    const from = Number(query.get('continue') ?? 0);
    const size = Math.min(this.pageSize, Number(query.get('limit') ?? Infinity));
    const items = this.model.list(ALL);
    const more = from + size < items.length ? { continue: String(from + size) } : {};
    const metadata = { resourceVersion: String(this.model.version), ...more };
    return json({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: items.slice(from, from + size) })(exchange);
  };

  /** The lines of a watch from a version. */
  lines(version: number): readonly string[] {
    return this.model.after(version, ALL).map((event) => `${JSON.stringify(event)}\n`);
  }

  private watch(exchange: Exchange, query: URLSearchParams): void | Promise<void> {
    const fault = this.windows.shift();
    if (fault) return fault(exchange);
    this.wellAnswered += 1;
    const from = Number(query.get('resourceVersion'));
    if (from < this.model.floor) return failure(410, 'Expired', 'too old resource version')(exchange);
    return watchEvents(...this.model.after(from, ALL))(exchange);
  }
}
